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

/** Half of what one person may have stored in a day. */
const MAX_OF_PERSON = 500;
const AT_ONCE = 50;

/** What people may have stored here whom nobody here follows. */
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
  /** Follows somebody here. */
  async function stranger(): Promise<RemoteActor> {
    const actor = elsewhere.actor(`stranger${++names}`);
    const object = actorOf(kith(), "ann");
    await actor.tell(kith(), actor.activity("Follow", { object }));
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

  test("of whom nobody here knows, what names or answers people here is kept; of who follows them, all", async () => {
    const eve = elsewhere.actor(`unknown${++names}`);
    const tell = async (note: JsonObject) => {
      await eve.tell(kith(), create(eve, note));
      return note;
    };
    assert.equal(await isHere(await tell(eve.note())), false);
    const cc = [actorOf(kith(), "ann")];
    assert.equal(await isHere(await tell(eve.note({ cc }))), true);
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "Well?" });
    await tell(eve.note({ inReplyTo: objectOf(kith(), Guid) }));
    assert.equal(await countOf("comments", eve.handle), 1);
    // So somebody over diaspora* shares with people here, who may never look at it.
    const object = actorOf(kith(), "ann");
    await eve.tell(kith(), eve.activity("Follow", { object }));
    assert.equal(await isHere(await tell(eve.note())), true);
  });

  test("of one stranger so many notes are kept in a day, follower or not, and those of others all the same", async () => {
    const eve = await stranger();
    await inLots(
      () => eve.send(kith(), create(eve, eve.note())),
      MAX_OF_PERSON + AT_ONCE,
    );
    assert.equal(await countOf("posts", eve.handle), MAX_OF_PERSON);
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "Well?" });
    const inReplyTo = objectOf(kith(), Guid);
    await eve.tell(kith(), create(eve, eve.note({ inReplyTo })));
    assert.equal(await countOf("comments", eve.handle), 0);
    await eve.tell(kith(), eve.activity("Like", { object: inReplyTo }));
    assert.equal(await countOf("likes", eve.handle), 0);
    const zoe = await stranger();
    await zoe.tell(kith(), create(zoe, zoe.note({ inReplyTo })));
    assert.equal(await countOf("comments", zoe.handle), 1);
    kith().clock.advance(DAY_MS);
    await eve.tell(kith(), create(eve, eve.note({ inReplyTo })));
    assert.equal(await countOf("comments", eve.handle), 1);
  });

  test("of a pod's person as many, and more where somebody here follows it", async () => {
    const mallory = pod.person(`mallory${++names}`);
    await mallory.tell(kith(), podPost(mallory));
    await inLots(
      async () =>
        postTo(kith(), "/receive/public", await mallory.seal(podPost(mallory))),
      MAX_OF_PERSON + AT_ONCE,
    );
    assert.equal(await countOf("posts", mallory.handle), MAX_OF_PERSON);
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "Well?" });
    await mallory.tell(kith(), await podComment(mallory, Guid));
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
    await mallory.tell(kith(), await podComment(mallory, Guid));
    assert.equal(await countOf("comments", mallory.handle), 1);
  });

  test("whoever sends again what a stranger signed uses up nothing of its share", async () => {
    const vic = pod.person(`vic${++names}`);
    const old = podPost(vic);
    await vic.tell(kith(), old);
    const sealed = await vic.seal(old);
    await inLots(
      () => postTo(kith(), "/receive/public", sealed),
      MAX_OF_PERSON + AT_ONCE,
    );
    await vic.tell(kith(), podPost(vic));
    assert.equal(await countOf("posts", vic.handle), 2);
  });
});
