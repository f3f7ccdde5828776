import assert from "node:assert/strict";
import { test } from "node:test";
import { aspectOf } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const publish = (by: TestPerson, post = "x", aspectID = 0) =>
    by.post<PostRecord>("/posts", { post, aspectID });
  const bookmarked = async (who: TestPerson, query = {}) =>
    (await who.get<PostRecord[]>("/bookmarks", query)).map(({ ID }) => ID);
  const countRows = async () =>
    (await kith().snapshot())["bookmarks"]?.rows ?? 0;

  test("bookmarked posts are listed, newest bookmark first, in pages", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const posts = [
      await publish(bob, "one"),
      await publish(bob, "two"),
      await publish(ann, "three"),
    ];
    const [one, two, three] = posts.map(({ ID }) => ID);
    for (const id of [two, three, one]) await ann.put(`/posts/${id}/bookmark`);
    assert.deepEqual(await bookmarked(ann), [one, three, two]);
    assert.deepEqual(await bookmarked(ann, { limit: 1 }), [one]);
    assert.deepEqual(await bookmarked(ann, { offset: 1, limit: 1 }), [three]);
    assert.deepEqual(await bookmarked(ann, { offset: 3 }), []);
    assert.deepEqual(await bookmarked(ann, { before: one }), [three, two]);
    assert.deepEqual(await bookmarked(ann, { after: two }), [one, three]);
    assert.deepEqual(await bookmarked(bob), []);
    await ann.delete(`/posts/${posts[2]?.Guid}/bookmark`);
    assert.deepEqual(await bookmarked(ann), [one, two]);
  });

  test("a post shows its reader alone that it is bookmarked, also within a reshare", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await publish(bob);
    assert.equal(
      "Bookmarked" in (await ann.get<object>(`/posts/${post.ID}`)),
      false,
    );
    const path = `/posts/${post.Guid}/bookmark`;
    assert.equal((await ann.post<PostRecord>(path)).Bookmarked, true);
    const shown = await ann.get<PostRecord>(`/posts/${post.ID}`);
    assert.equal(shown.Bookmarked, true);
    const reshare = await bob.post<PostRecord>(`/posts/${post.Guid}/reshare`);
    const [first] = await ann.get<PostRecord[]>("/posts", { limit: 1 });
    assert.equal(first?.ID, reshare.ID);
    assert.equal(first.Root?.Bookmarked, true);
    assert.equal("Bookmarked" in first, false);
    assert.equal(
      "Bookmarked" in (await bob.get<object>(`/posts/${post.ID}`)),
      false,
    );
  });

  test("bookmarking again changes nothing, and only a bookmark is removed", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { ID } = await publish(bob);
    const path = `/posts/${ID}/bookmark`;
    await ann.notFound("DELETE", path);
    await ann.put(path);
    await kith().settle();
    const unchanged = await kith().snapshot();
    await Promise.all(Array.from({ length: 5 }, () => ann.put(path)));
    await kith().settle();
    assert.deepEqual(await kith().snapshot(), unchanged);
    await ann.delete(path);
    await ann.notFound("DELETE", path);
    for (const id of ["0", "x", "9".repeat(20), "0".repeat(32)])
      for (const method of ["PUT", "POST", "DELETE"] as const)
        await ann.notFound(method, `/posts/${id}/bookmark`);
  });

  test("a bookmark notifies nobody: it enqueues no job and changes no other table", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { ID } = await publish(bob);
    await kith().settle();
    const { bookmarks: before, ...earlier } = await kith().snapshot();
    await ann.put(`/posts/${ID}/bookmark`);
    const { bookmarks: after, ...now } = await kith().snapshot();
    assert.deepEqual(now, earlier);
    assert.equal(after?.rows, (before?.rows ?? 0) + 1);
  });

  test("a bookmarked post that becomes invisible is not shown, takes no place, and returns", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const own = await publish(ann);
    const closed = await publish(bob, "closed", await aspectOf(bob, ann));
    for (const { ID } of [own, closed]) await ann.put(`/posts/${ID}/bookmark`);
    assert.deepEqual(await bookmarked(ann), [closed.ID, own.ID]);
    await bob.post(`/people/${ann.record.ID}/block`);
    assert.deepEqual(await bookmarked(ann, { limit: 1 }), [own.ID]);
    const asked = (before: number) =>
      ann.badRequest("GET", `/bookmarks?before=${before}`);
    await asked(closed.ID);
    await asked(12_345_678);
    for (const method of ["PUT", "DELETE"] as const)
      await ann.notFound(method, `/posts/${closed.ID}/bookmark`);
    await bob.delete(`/people/${ann.record.ID}/block`);
    assert.deepEqual(await bookmarked(ann), [closed.ID, own.ID]);
  });

  test("the bookmarks of a deleted post and of a deleted account are removed", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const before = await countRows();
    const [kept, gone] = [await publish(bob), await publish(bob)];
    for (const { ID } of [kept, gone]) await ann.put(`/posts/${ID}/bookmark`);
    await bob.delete(`/posts/${gone.ID}`);
    assert.deepEqual(await bookmarked(ann), [kept.ID]);
    assert.equal(await countRows(), before + 1);
    const form = { password: PASSWORD };
    await ann.call("DELETE", "/users", { form });
    await kith().settle();
    assert.equal(await countRows(), before);
  });
});
