import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, postTo } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { actorOf, objectOf } from "../support/remote/linked-data.ts";
import { podComment, podPost } from "../support/remote/pod-entities.ts";
import { idOf } from "../support/remote/proving-actor.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";

/** Half of a person's daily limit. */
const MAX_OF_PERSON = 500;
const AT_ONCE = 50;

/** The storage used by people who are not followed here. */
forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_RATE_LIMITS: "0.5" } });
  let elsewhere: RemoteServer;
  let pod: DiasporaPod;
  let ann: TestPerson;
  let names = 0;
  before(async () => {
    elsewhere = await RemoteServer.start();
    pod = await DiasporaPod.start();
    ann = await kith().person({ handle: "ann" });
  });
  after(() => Promise.all([elsewhere.close(), pod.close()]));

  const create = (by: RemoteActor, object: JsonObject) =>
    by.activity("Create", { object, to: object["to"] ?? [PUBLIC] });
  const isHere = async (object: JsonObject) =>
    (await kith().server.features.posts.find({ uri: idOf(object) })) !==
    undefined;
  /** Follows a local person. */
  async function stranger(): Promise<RemoteActor> {
    const actor = elsewhere.actor(`stranger${++names}`);
    const object = actorOf(kith(), "ann");
    await actor.deliver(kith(), actor.activity("Follow", { object }));
    return actor;
  }
  async function inLots(send: (i: number) => Promise<unknown>, count: number) {
    for (let i = 0; i < count; i += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - i) }, (_, j) =>
          send(i + j),
        ),
      );
    await kith().settle();
  }
  async function countOf(
    table: "comments" | "likes" | "posts",
    handle: string,
  ): Promise<number> {
    const person = await kith().server.features.people.find({ handle });
    if (!person) return 0;
    const rows = await kith()
      .db.read.selectFrom(table)
      .select("id")
      .where("person_id", "=", person.id)
      .execute();
    return rows.length;
  }

  test("of unknown people only mentions of and replies to local people are kept; of followers, everything", async () => {
    const eve = elsewhere.actor(`unknown${++names}`);
    const deliver = async (note: JsonObject) => {
      await eve.deliver(kith(), create(eve, note));
      return note;
    };
    assert.equal(await isHere(await deliver(eve.note())), false);
    const cc = [actorOf(kith(), "ann")];
    assert.equal(await isHere(await deliver(eve.note({ cc }))), true);
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "Well?" });
    await deliver(eve.note({ inReplyTo: objectOf(kith(), Guid) }));
    assert.equal(await countOf("comments", eve.handle), 1);
    // On diaspora*, this is how people share with local ones, who may never look at it.
    const object = actorOf(kith(), "ann");
    await eve.deliver(kith(), eve.activity("Follow", { object }));
    assert.equal(await isHere(await deliver(eve.note())), true);
  });

  test("one unknown person has a daily limit of notes, follower or not, without affecting others", async () => {
    const eve = await stranger();
    await inLots(
      () => eve.send(kith(), create(eve, eve.note())),
      MAX_OF_PERSON + AT_ONCE,
    );
    assert.equal(await countOf("posts", eve.handle), MAX_OF_PERSON);
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "Well?" });
    const inReplyTo = objectOf(kith(), Guid);
    await eve.deliver(kith(), create(eve, eve.note({ inReplyTo })));
    assert.equal(await countOf("comments", eve.handle), 0);
    await eve.deliver(kith(), eve.activity("Like", { object: inReplyTo }));
    assert.equal(await countOf("likes", eve.handle), 0);
    const zoe = await stranger();
    await zoe.deliver(kith(), create(zoe, zoe.note({ inReplyTo })));
    assert.equal(await countOf("comments", zoe.handle), 1);
    kith().clock.advance(DAY_MS);
    await eve.deliver(kith(), create(eve, eve.note({ inReplyTo })));
    assert.equal(await countOf("comments", eve.handle), 1);
  });

  test("a pod's person has the same limit, and more when followed here", async () => {
    const mallory = pod.person(`mallory${++names}`);
    await mallory.deliver(kith(), podPost(mallory));
    await inLots(
      async () =>
        postTo(kith(), "/receive/public", await mallory.seal(podPost(mallory))),
      MAX_OF_PERSON + AT_ONCE,
    );
    assert.equal(await countOf("posts", mallory.handle), MAX_OF_PERSON);
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "Well?" });
    await mallory.deliver(kith(), await podComment(mallory, Guid));
    assert.equal(await countOf("comments", mallory.handle), 0);
    const signatures = await kith()
      .db.read.selectFrom("relayable_signatures")
      .select("guid")
      .execute();
    assert.deepEqual(signatures, [], "nothing is left of what is not taken");
    const { ID } = await ann.post<{ ID: number }>("/search", {
      handle: mallory.handle,
    });
    const aspect = await ann.post<{ ID: number }>("/aspects", { name: "pods" });
    await ann.post(`/people/${ID}/aspects/${aspect.ID}`);
    await mallory.deliver(kith(), await podComment(mallory, Guid));
    assert.equal(await countOf("comments", mallory.handle), 1);
  });

  test("resending another person's signed messages does not use up that person's limit", async () => {
    const vic = pod.person(`vic${++names}`);
    const old = podPost(vic);
    await vic.deliver(kith(), old);
    const sealed = await vic.seal(old);
    await inLots(
      () => postTo(kith(), "/receive/public", sealed),
      MAX_OF_PERSON + AT_ONCE,
    );
    await vic.deliver(kith(), podPost(vic));
    assert.equal(await countOf("posts", vic.handle), 2);
  });
});
