import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newGuid } from "../../src/lib/guids.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  DiasporaPod,
  postTo,
  type PodPerson,
} from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  podComment,
  podPost,
  podReshare,
  podRetraction,
} from "../support/remote/pod-entities.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";

/** From one unknown person. */
const MAX_OF_PERSON = 100;
const MAX_OF_HOST = 1000;
const AT_ONCE = 25;

/** Messages about missing objects, which may never arrive. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let pod: DiasporaPod;
  let elsewhere: RemoteServer;
  let ann: TestPerson;
  let names = 0;
  before(async () => {
    pod = await DiasporaPod.start();
    elsewhere = await RemoteServer.start();
    ann = await kith().person();
  });
  after(() => Promise.all([pod.close(), elsewhere.close()]));

  const newcomer = (): PodPerson => pod.person(`someone${++names}`);
  const waiting = async (sender: string): Promise<number> => {
    const rows = await kith()
      .db.read.selectFrom("waiting_messages")
      .select("message_id")
      .where("sender", "=", sender)
      .execute();
    return rows.length;
  };
  const jobs = async (): Promise<number> => {
    const rows = await kith()
      .db.read.selectFrom("jobs")
      .select("id")
      .where("kind", "=", "handle-inbound")
      .where("state", "<>", "done")
      .execute();
    return rows.length;
  };
  /** Longer than anything waits, look after look. */
  async function waitOut(): Promise<void> {
    for (let i = 0; i < 12; i++) {
      kith().clock.advance(DAY_MS / 3);
      await kith().settle();
    }
  }
  async function inLots(send: () => Promise<unknown>, count: number) {
    for (let i = 0; i < count; i += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => send()));
      await kith().settle();
    }
  }
  const publicly = async (
    by: PodPerson,
    entity: Parameters<PodPerson["seal"]>[0],
  ) =>
    assert.equal(
      await postTo(kith(), "/receive/public", await by.seal(entity)),
      202,
    );

  test("retractions in advance of one unknown person are limited, without affecting the author's own", async () => {
    const eve = newcomer();
    await inLots(
      () => publicly(eve, podRetraction(eve, "Post", newGuid())),
      MAX_OF_PERSON + AT_ONCE,
    );
    assert.equal(await waiting(eve.handle), MAX_OF_PERSON);
    assert.equal(await jobs(), MAX_OF_PERSON);
    // Another one on the same server has its own room.
    const bob = newcomer();
    const post = podPost(bob);
    await bob.deliver(kith(), podRetraction(bob, "Post", post.guid));
    assert.equal(await waiting(bob.handle), 1);
    await bob.deliver(kith(), post);
    const { posts } = kith().server.features;
    assert.equal(await posts.find({ guid: post.guid }), undefined);
    assert.equal(await waiting(bob.handle), 0, "what has come counts no more");
    await waitOut();
    assert.equal(await waiting(eve.handle), 0);
    assert.equal(await jobs(), 0);
  });

  test("so are comments on and reshares of missing objects, sent publicly or to one person", async () => {
    const eve = newcomer();
    const gone = {
      author: pod.person("nobody-writes").handle,
      guid: newGuid(),
    };
    await inLots(
      async () => publicly(eve, await podComment(eve, newGuid())),
      MAX_OF_PERSON / 2,
    );
    await inLots(() => publicly(eve, podReshare(eve, gone)), AT_ONCE);
    await inLots(
      () => eve.whisper(kith(), podRetraction(eve, "Comment", newGuid()), ann),
      2 * AT_ONCE,
    );
    assert.equal(await waiting(eve.handle), MAX_OF_PERSON);
    await waitOut();
    assert.equal(await waiting(eve.handle), 0);
  });

  test("so are likes over ActivityPub of objects that their own server has not sent yet", async () => {
    const eve = elsewhere.actor(`actor${++names}`);
    await inLots(
      () =>
        eve.send(kith(), eve.activity("Like", { object: eve.newId("notes") })),
      MAX_OF_PERSON + AT_ONCE,
    );
    assert.equal(await waiting(eve.id), MAX_OF_PERSON);
    await waitOut();
    assert.equal(await waiting(eve.id), 0);
  });

  test("all people of one server have a limit, and followed people a higher one", async () => {
    const { db } = kith();
    const row = await db.transaction((tx) =>
      tx
        .insertInto("inbound_messages")
        .values({
          protocol: "diaspora",
          verified: true,
          received_at: new Date(0).toISOString(),
        })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    const host = pod.host;
    for (let i = 0; i < MAX_OF_HOST; i++)
      await db.transaction(async (tx) => {
        const { id } = await tx
          .insertInto("inbound_messages")
          .values({
            protocol: "diaspora",
            message_id: `waits-${row.id}-${i}`,
            verified: true,
            received_at: kith().clock.now().toISOString(),
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        await tx
          .insertInto("waiting_messages")
          .values({
            message_id: id,
            standing: "stranger",
            sender: `someone-${i}@${host}`,
            host,
            bytes: 1,
            since: kith().clock.now().toISOString(),
          })
          .execute();
      });
    const eve = newcomer();
    await eve.deliver(kith(), podRetraction(eve, "Post", newGuid()));
    assert.equal(await waiting(eve.handle), 0);
    const { ID } = await ann.post<{ ID: number }>("/search", {
      handle: eve.handle,
    });
    const aspect = await ann.post<{ ID: number }>("/aspects", { name: "pods" });
    await ann.post(`/people/${ID}/aspects/${aspect.ID}`);
    await eve.deliver(kith(), podRetraction(eve, "Post", newGuid()));
    assert.equal(await waiting(eve.handle), 1);
  });
});
