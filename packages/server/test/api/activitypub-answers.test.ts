import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { actorOf, objectOf, read } from "../support/remote/linked-data.ts";
import { plan } from "../support/scenes/planning.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

const DAY_MS = 24 * 3_600_000;
/** The largest untrusted activity that an inbox accepts. */
const BALLAST = { summary: "x".repeat(500_000), to: ["https://x.example/1"] };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
    await kith().server.prepare();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`asker${++names}`);
  /** The answers that are kept for this actor. */
  const keptFor = async ({ id }: RemoteActor): Promise<JsonObject[]> => {
    const rows = await kith()
      .db.read.selectFrom("sent_activities")
      .select("document")
      .where("addressees", "=", JSON.stringify([id]))
      .execute();
    return rows.map(({ document }) => JSON.parse(document) as JsonObject);
  };
  const answersTo = (asked: JsonObject) =>
    remote.delivered
      .map(({ activity }) => activity)
      .filter(
        ({ object }) =>
          (object as JsonObject | undefined)?.["id"] === asked["id"],
      );
  const followers = async (username: string) =>
    (await read(`${actorOf(kith(), username)}/followers`))["totalItems"];

  /** Each asks for the same thing, under ids of its own. */
  const ways: readonly {
    readonly type: string;
    readonly prepare: () => Promise<(by: RemoteActor) => JsonObject>;
  }[] = [
    {
      type: "Follow",
      prepare: async () => {
        const ann = await kith().person();
        return (by) =>
          by.activity("Follow", { object: actorOf(kith(), ann.username) });
      },
    },
    {
      type: "Join",
      prepare: async () => {
        const ann = await kith().person();
        await plan(ann, { summary: "Garden party" });
        const [post] = await ann.get<PostRecord[]>("/posts");
        return (by) =>
          by.activity("Join", { object: objectOf(kith(), post?.Guid ?? "") });
      },
    },
    {
      type: "QuoteRequest",
      prepare: async () => {
        const ann = await kith().person();
        const { Guid } = await ann.post<PostRecord>("/posts", { post: "wise" });
        const object = objectOf(kith(), Guid);
        return (by) => {
          const instrument = by.note({ quote: object, ...BALLAST });
          return by.activity("QuoteRequest", { object, instrument });
        };
      },
    },
  ];

  for (const { type, prepare } of ways)
    test(`the answer to a ${type} contains only its identifiers, and only the last answer is kept, for a time`, async () => {
      const ask = await prepare();
      const eve = stranger();
      let asked: JsonObject = {};
      for (let i = 0; i < 3; i++) {
        asked = { ...ask(eve), ...BALLAST };
        await eve.deliver(kith(), asked);
      }
      const [answer, ...others] = answersTo(asked);
      assert.deepEqual(others, []);
      const { id, actor, object } = asked;
      const instrument = asked["instrument"] as JsonObject | undefined;
      assert.deepEqual(answer?.["object"], {
        id,
        type,
        actor,
        object,
        ...(instrument && { instrument: instrument["id"] }),
      });
      const kept = await keptFor(eve);
      assert.deepEqual(kept, [answer]);
      kith().clock.advance(31 * DAY_MS);
      await kith().settle();
      assert.deepEqual(await keptFor(eve), []);
    });

  test("a Follow is undone by its id alone for as long as it lives, by its newest one", async () => {
    const ann = await kith().person();
    const eve = stranger();
    const object = actorOf(kith(), ann.username);
    const [first, second] = [0, 1].map(() =>
      eve.activity("Follow", { object }),
    );
    assert.ok(first && second);
    await eve.deliver(kith(), first);
    await eve.deliver(kith(), second);
    kith().clock.advance(400 * DAY_MS);
    await kith().settle();
    assert.equal(await followers(ann.username), 1);
    const mallory = stranger();
    const byId = (by: RemoteActor, { id }: JsonObject) =>
      by.deliver(kith(), by.activity("Undo", { object: id ?? "" }));
    await byId(mallory, second);
    assert.equal(await followers(ann.username), 1);
    await byId(eve, second);
    assert.equal(await followers(ann.username), 0);
  });
});
