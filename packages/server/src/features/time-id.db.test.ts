import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import { useKith } from "../../test/support/server/kith-server.ts";
import {
  remotePerson,
  remotePost,
} from "../../test/support/remote/remote-people.ts";
import type {
  CommentRecord,
  PostRecord,
} from "../../test/support/server/wire.ts";

const ascending = (ids: readonly number[]) =>
  ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? 0));

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("1,100 posts of one time get ids of their own, in their order", async () => {
    const eve = await remotePerson(kith(), "eve@remote.example");
    const { posts } = kith().server.features;
    const ids: number[] = [];
    for (let n = 0; n < 1100; n++) {
      const received = await posts.receive(remotePost(eve));
      assert.equal(received.kind, "stored");
      if (received.kind === "stored") ids.push(received.value.id);
    }
    assert.equal(new Set(ids).size, 1100);
    assert.ok(ascending(ids));
    assert.ok(ids.every(Number.isSafeInteger));
    const later = await posts.receive(
      remotePost(eve, { createdAt: "2026-01-02T03:04:05.701Z" }),
    );
    assert.ok(later.kind === "stored" && later.value.id > (ids.at(-1) ?? 0));
    assert.equal(later.value.createdAt, "2026-01-02T03:04:05.701Z");
  });

  test("posts that come at once at one time do so as well", async () => {
    const fay = await remotePerson(kith(), "fay@remote.example");
    const { posts } = kith().server.features;
    const createdAt = "2026-01-05T03:04:05.678Z";
    const received = await Promise.all(
      Array.from({ length: 50 }, () =>
        posts.receive(remotePost(fay, { createdAt })),
      ),
    );
    const ids = received.map((it) => (it.kind === "stored" ? it.value.id : 0));
    assert.equal(new Set(ids).size, 50);
    assert.ok(ids.every((id) => id > 0));
  });

  test("posts and comments, made at the same instant, never share a number", async () => {
    const ann = await kith().person();
    kith().clock.stopAt(new Date("2026-06-01T00:00:00.000Z"));
    const ids: number[] = [];
    for (let n = 0; n < 10; n++) {
      const post = await ann.post<PostRecord>("/posts", { post: "x" });
      const path = `/posts/${post.ID}/comments`;
      const comment = await ann.post<CommentRecord>(path, { comment: "x" });
      assert.ok(comment.ID > post.ID);
      assert.ok(Number.isSafeInteger(comment.ID));
      assert.equal(post.CreatedAt, "2026-06-01T00:00:00.000Z");
      ids.push(post.ID, comment.ID);
    }
    assert.equal(new Set(ids).size, 20);
    for (const [n, id] of ids.entries()) {
      const [own, other] =
        n % 2 === 0 ? ["posts", "comments"] : ["comments", "posts"];
      await ann.get(`/${own}/${id}`);
      await ann.notFound("GET", `/${other}/${id}`);
    }
    kith().clock.advance(10);
    const next = await ann.post<PostRecord>("/posts", { post: "next" });
    assert.ok(next.ID > Math.max(...ids));
  });

  test("the id of a deleted post is not given again at the same instant", async () => {
    const ida = await kith().person();
    kith().clock.stopAt(new Date("2026-07-01T00:00:00.000Z"));
    const ids = new Set<number>();
    for (let n = 0; n < 5; n++) {
      const post = await ida.post<PostRecord>("/posts", { post: "x" });
      await ida.delete(`/posts/${post.Guid}`);
      ids.add(post.ID);
    }
    assert.equal(ids.size, 5);
  });

  test("a Guid of digits alone is found, after an id", async () => {
    const gus = await remotePerson(kith(), "gus@remote.example");
    const hal = await kith().person();
    const { posts } = kith().server.features;
    const guid = "1234567890123456";
    await posts.receive(remotePost(gus, { guid }));
    const byGuid = await hal.get<PostRecord>(`/posts/${guid}`);
    assert.equal(byGuid.Guid, guid);
    const twin = String(byGuid.ID).padStart(16, "0");
    await posts.receive(remotePost(gus, { guid: twin, text: "twin" }));
    assert.equal((await hal.get<PostRecord>(`/posts/${twin}`)).Guid, guid);
    const long = "9".repeat(40);
    await posts.receive(remotePost(gus, { guid: long, text: "long" }));
    assert.equal((await hal.get<PostRecord>(`/posts/${long}`)).Text, "long");
  });
});
