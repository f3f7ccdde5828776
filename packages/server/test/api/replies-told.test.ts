import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Notification = { readonly ShareableGuid: string };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("a reply notifies the author of its parent comment, once", async () => {
    const ann = await kith().person({ handle: "ann" });
    const bob = await kith().person({ handle: "bob" });
    const carol = await kith().person({ handle: "carol" });
    const post = await ann.post<PostRecord>("/posts", { post: "A question" });
    const path = `/posts/${post.Guid}/comments`;
    const first = await bob.post<Notification & { Guid: string }>(path, {
      comment: "An answer",
    });
    const reply = await carol.post<{ Guid: string }>(path, {
      comment: "Indeed",
      parent_guid: first.Guid,
    });
    const own = await bob.post<{ Guid: string }>(path, {
      comment: "Thanks",
      parent_guid: first.Guid,
    });
    await kith().settle();
    const notified = async (who: typeof ann) =>
      (await who.get<Notification[]>("/notifications"))
        .map((it) => it.ShareableGuid)
        .toSorted();
    assert.deepEqual(await notified(bob), [reply.Guid]);
    const all = [first.Guid, reply.Guid, own.Guid];
    assert.deepEqual(await notified(ann), all.toSorted());
    assert.deepEqual(await notified(carol), []);
  });
});
