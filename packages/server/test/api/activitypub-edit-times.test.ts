import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { objectOf, sendFollow } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let ann: TestPerson;
  let eve: RemoteActor;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
    ann = await kith().person();
    eve = remote.actor(`editor${++names}`);
    await sendFollow(kith(), ann, eve);
  });
  after(() => remote.close());

  const say = (type: string, object: JsonObject) =>
    eve.deliver(kith(), eve.activity(type, { object, to: [PUBLIC] }));
  const { posts, comments, events } = {
    posts: () => kith().server.features.posts,
    comments: () => kith().server.features.comments,
    events: () => kith().server.features.events,
  };
  const wordsOf: Readonly<
    Record<string, (uri: string) => Promise<string | undefined>>
  > = {
    post: async (uri) => (await posts().find({ uri }))?.text,
    comment: async (uri) => (await comments().find({ uri }))?.text,
    event: async (uri) => {
      const id = (await posts().find({ uri }))?.eventId;
      return id == null
        ? undefined
        : (await events().find({ id }))?.description;
    },
  };
  const shapeOf = async (what: string): Promise<JsonObject> => {
    if (what === "event")
      return {
        type: "Event",
        name: "Party",
        startTime: "2030-01-01T10:00:00Z",
        timezone: "Europe/Berlin",
      };
    if (what === "post") return {};
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "well" });
    return { inReplyTo: objectOf(kith(), Guid) };
  };

  test("an edit of a post that is unknown brings it where it is new, and not where it is old", async () => {
    const dayAgo = (days: number) =>
      new Date(kith().clock.now().getTime() - days * 86_400_000).toISOString();
    const [young, old] = [0.5, 1.5].map((days) =>
      eve.note({ published: dayAgo(days), updated: dayAgo(0) }),
    );
    for (const note of [young, old]) await say("Update", note ?? {});
    const isHere = async (note: JsonObject = {}) =>
      (await posts().find({ uri: note["id"] as string })) !== undefined;
    assert.deepEqual([await isHere(young), await isHere(old)], [true, false]);
  });

  for (const what of ["post", "comment", "event"]) {
    const words = async ({ id }: JsonObject) => wordsOf[what]?.(id as string);

    test(`an older edit of a ${what} first received edited changes nothing`, async () => {
      const note = eve.note({
        ...(await shapeOf(what)),
        content: "newest",
        published: "2026-01-01T00:00:00Z",
        updated: "2026-01-03T00:00:00Z",
      });
      await say("Create", note);
      assert.equal(await words(note), "newest");
      const edit = (content: string, updated: string) =>
        say("Update", { ...note, content, updated });
      await edit("older", "2026-01-02T00:00:00Z");
      assert.equal(await words(note), "newest");
      await edit("newer", "2026-01-04T00:00:00Z");
      assert.equal(await words(note), "newer");
    });

    test(`the second edit of a ${what} within one second counts`, async () => {
      const updated = "2026-01-03T00:00:00Z";
      const note = eve.note({ ...(await shapeOf(what)), content: "one" });
      await say("Create", note);
      for (const content of ["two", "three"]) {
        await say("Update", { ...note, content, updated });
        assert.equal(await words(note), content);
      }
      const before = { ...note, content: "late" };
      await say("Update", { ...before, updated: "2026-01-02T23:59:59Z" });
      assert.equal(await words(note), "three");
    });
  }
});
