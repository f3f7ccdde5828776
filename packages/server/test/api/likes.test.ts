import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  OWN_GUID,
  TIMESTAMP,
  type AspectRecord,
  type CommentRecord,
  type LikeRecord,
  type PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, aspectID = 0) =>
    by.post<PostRecord>("/posts", { post: "like me", aspectID });
  const comment = (by: TestPerson, on: PostRecord) =>
    by.post<CommentRecord>(`/posts/${on.ID}/comments`, { comment: "me too" });
  const guids = async (by: TestPerson, path: string, query = {}) =>
    (await by.get<LikeRecord[]>(path, query)).map(({ Guid }) => Guid);

  test("a new like has every field", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await publish(ann);
    const like = await bob.post<LikeRecord>(`/posts/${post.ID}/likes/true`);
    const { ID, Guid, CreatedAt, UpdatedAt, ...rest } = like;
    assert.ok(ID > 0);
    assert.match(Guid, OWN_GUID);
    assert.match(CreatedAt, TIMESTAMP);
    assert.equal(UpdatedAt, CreatedAt);
    assert.deepEqual(rest, {
      Positive: true,
      ShareableID: post.ID,
      ShareableType: "Post",
      PersonID: bob.record.ID,
      TargetID: post.ID,
      TargetType: "Post",
    });
    assert.deepEqual(await ann.get(`/posts/${post.Guid}/likes`), [like]);
    const shown = await ann.get<PostRecord>(`/posts/${post.ID}`);
    assert.equal(shown.LikesCount, 1);
    assert.equal(shown.DislikesCount, 0);
  });

  test("liking again gives the like that there is", async () => {
    const cam = await kith().person();
    const post = await publish(cam);
    for (const path of [
      `/posts/${post.ID}/likes`,
      `/posts/${post.Guid}/likes`,
    ]) {
      const like = await cam.post<LikeRecord>(path);
      const after = await kith().snapshot();
      for (const below of ["/true", "/1", "/on", ""])
        assert.deepEqual(await cam.post(`${path}${below}`), like);
      assert.deepEqual(await cam.post(path, { positive: true }), like);
      assert.deepEqual(await kith().snapshot(), after);
    }
    assert.equal((await guids(cam, `/posts/${post.ID}/likes`)).length, 1);
  });

  test("the other sign takes its place: the old Guid is retracted", async () => {
    const dan = await kith().person();
    const post = await publish(dan);
    const path = `/posts/${post.ID}/likes`;
    const like = await dan.post<LikeRecord>(path);
    const dislike = await dan.post<LikeRecord>(`${path}/false`);
    assert.equal(dislike.Positive, false);
    assert.notEqual(dislike.Guid, like.Guid);
    assert.deepEqual(await dan.get(path), [dislike]);
    const shown = await dan.get<PostRecord>(`/posts/${post.ID}`);
    assert.deepEqual([shown.LikesCount, shown.DislikesCount], [0, 1]);
    const { retractions } = kith().server.features;
    assert.ok(await retractions.findOfUser("Like", like.Guid));
    assert.ok(!(await retractions.findOfUser("Like", dislike.Guid)));
    await dan.notFound("DELETE", `/likes/${like.Guid}`);
    const back = await dan.post<LikeRecord>(path, { positive: "on" });
    assert.equal(back.Positive, true);
    assert.ok(![like.Guid, dislike.Guid].includes(back.Guid));
  });

  test("a sign is a boolean", async () => {
    const eve = await kith().person();
    const post = await publish(eve);
    const path = `/posts/${post.ID}/likes`;
    for (const positive of ["yes", "2", "TRUE", "null", "-1"]) {
      await eve.badRequest("POST", path, { form: { positive } });
      await eve.badRequest("POST", `${path}/${positive}`);
    }
    for (const positive of [[true], { a: 1 }, 2, "x"])
      await eve.badRequest("POST", path, { json: { positive } });
  });

  test("a comment is liked like a post", async () => {
    const [fay, gil] = [await kith().person(), await kith().person()];
    const post = await publish(fay);
    const said = await comment(fay, post);
    for (const key of [said.ID, said.Guid]) {
      const like = await gil.post<LikeRecord>(`/comments/${key}/likes/true`);
      assert.equal(like.ShareableID, said.ID);
      assert.equal(like.ShareableType, "Comment");
      assert.equal(like.TargetID, said.ID);
      assert.equal(like.TargetType, "Comment");
      assert.deepEqual(await fay.get(`/comments/${key}/likes`), [like]);
    }
    assert.deepEqual(await fay.get(`/posts/${post.ID}/likes`), []);
    const shown = await fay.get<CommentRecord>(`/comments/${said.ID}`);
    assert.equal(shown.LikesCount, 1);
    const [listed] = await fay.get<CommentRecord[]>(
      `/posts/${post.ID}/comments`,
    );
    assert.equal(listed?.LikesCount, 1);
    await gil.post(`/comments/${said.ID}/likes/false`);
    const after = await fay.get<CommentRecord>(`/comments/${said.ID}`);
    assert.equal(after.LikesCount, 0, "a dislike is no like");
    await gil.delete(`/comments/${said.ID}/likes`);
    assert.deepEqual(await fay.get(`/comments/${said.ID}/likes`), []);
  });

  test("a like is removed by its Guid or by its object", async () => {
    const [hal, ida] = [await kith().person(), await kith().person()];
    const post = await publish(hal);
    const path = `/posts/${post.Guid}/likes`;
    const first = await ida.post<LikeRecord>(path);
    await hal.notFound("DELETE", `/likes/${first.Guid}`);
    await hal.notFound("DELETE", path);
    await ida.delete(`/likes/${first.Guid}`);
    await ida.notFound("DELETE", `/likes/${first.Guid}`);
    const second = await ida.post<LikeRecord>(path);
    assert.notEqual(second.Guid, first.Guid);
    await ida.delete(path);
    await ida.notFound("DELETE", path);
    for (const key of [first.ID, 0, "x", "0".repeat(32), post.Guid, "%00"])
      await ida.notFound("DELETE", `/likes/${key}`);
    assert.deepEqual(await hal.get(path), []);
  });

  test("likes are listed newest first, by pages", async () => {
    const jan = await kith().person();
    const post = await publish(jan);
    const path = `/posts/${post.ID}/likes`;
    const made: string[] = [];
    for (let n = 0; n < 11; n++) {
      const by = await kith().person();
      made.unshift((await by.post<LikeRecord>(path)).Guid);
    }
    assert.deepEqual(await guids(jan, path), made.slice(0, 10));
    assert.deepEqual(await guids(jan, path, { offset: 10 }), made.slice(10));
    assert.deepEqual(await guids(jan, path, { limit: 2 }), made.slice(0, 2));
  });

  test("one's like of a post that one may see no more can be taken back", async () => {
    const [kim, lou] = [await kith().person(), await kith().person()];
    const { ID } = await kim.post<AspectRecord>("/aspects", { name: "a" });
    const member = `/people/${lou.record.ID}/aspects/${ID}`;
    await kim.post(member);
    const post = await publish(kim, ID);
    const like = await lou.post<LikeRecord>(`/posts/${post.ID}/likes`);
    await kim.call("DELETE", member);
    await lou.delete(`/likes/${like.Guid}`);
    assert.deepEqual(await kim.get(`/posts/${post.ID}/likes`), []);
  });

  test("twenty likes at once make one; taken back at once, they go once", async () => {
    const max = await kith().person();
    const post = await publish(max);
    const path = `/posts/${post.ID}/likes`;
    const twenty = Array.from({ length: 20 });
    const likes = await Promise.all(
      twenty.map(() => max.post<LikeRecord>(path)),
    );
    assert.equal(new Set(likes.map(({ Guid }) => Guid)).size, 1);
    assert.equal((await guids(max, path)).length, 1);
    const answers = await Promise.all(
      twenty.map(() => max.call("DELETE", path)),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
      200,
      ...Array.from({ length: 19 }, () => 404),
    ]);
  });

  test("likes of both signs at once leave one, and its counts are right", async () => {
    const ned = await kith().person();
    const post = await publish(ned);
    const path = `/posts/${post.ID}/likes`;
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        ned.post(path, { positive: n % 2 === 0 }),
      ),
    );
    const left = await ned.get<LikeRecord[]>(path);
    assert.equal(left.length, 1);
    const shown = await ned.get<PostRecord>(`/posts/${post.ID}`);
    assert.equal(shown.LikesCount + shown.DislikesCount, 1);
    assert.equal(shown.LikesCount, left[0]?.Positive ? 1 : 0);
  });
});
