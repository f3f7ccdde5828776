import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("a person's stream shows each viewer the posts visible to them", async () => {
    const [kai, lea] = [await kith().person(), await kith().person()];
    const aspect = await kai.post<AspectRecord>("/aspects", { name: "a" });
    const open = await kai.post<PostRecord>("/posts", { post: "open" });
    const closed = await kai.post<PostRecord>("/posts", {
      post: "closed",
      aspectID: aspect.ID,
    });
    for (const key of [kai.record.ID, kai.record.Guid]) {
      const path = `/people/${key}/stream`;
      assert.deepEqual(guids(await kai.get(path)), [closed.Guid, open.Guid]);
      assert.deepEqual(guids(await lea.get(path)), [open.Guid]);
      assert.deepEqual(guids(await kai.get(path, { offset: 1 })), [open.Guid]);
    }
    const path = `/people/${kai.record.Guid}/stream`;
    const query = { format: "diaspora" };
    assert.deepEqual(await lea.get(path, query), [
      {
        public: true,
        guid: open.Guid,
        author: { id: kai.record.ID, guid: kai.record.Guid },
        post_type: "StatusMessage",
        text: "open",
        provider_display_name: "",
        created_at: open.CreatedAt,
      },
    ]);
    const fields = "guid,post_type,author(id)";
    assert.deepEqual(await lea.get(path, { ...query, fields }), [
      {
        guid: open.Guid,
        post_type: "StatusMessage",
        author: { id: kai.record.ID },
      },
    ]);
    await lea.badRequest("GET", path, { query: { format: "atom" } });
  });
});

function guids(posts: readonly PostRecord[]): string[] {
  return posts.map(({ Guid }) => Guid);
}
