import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  OWN_GUID,
  TIMESTAMP,
  type AspectRecord,
  type CommentRecord,
  type PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, aspectID = 0) =>
    by.post<PostRecord>("/posts", { post: "talk", aspectID });
  const say = (by: TestPerson, on: PostRecord, comment: string) =>
    by.post<CommentRecord>(`/posts/${on.Guid}/comments`, { comment });

  test("a new comment has every field", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await publish(ann);
    const comment = await say(bob, post, "  first\r\n");
    const { ID, Guid, CreatedAt, UpdatedAt, Person, ...rest } = comment;
    assert.ok(Number.isSafeInteger(ID));
    assert.match(Guid, OWN_GUID);
    assert.match(CreatedAt, TIMESTAMP);
    assert.equal(UpdatedAt, CreatedAt);
    assert.equal(Person.Author, bob.handle);
    assert.deepEqual(rest, {
      Text: "first",
      ShareableID: post.ID,
      ShareableType: "Post",
      PersonID: bob.record.ID,
      ParentGuid: null,
      LikesCount: 0,
    });
    for (const key of [ID, Guid])
      assert.deepEqual(await ann.get(`/comments/${key}`), comment);
    const byText = await bob.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      text: "second",
    });
    assert.equal(byText.Text, "second");
  });

  test("comments are listed oldest first, by pages", async () => {
    const cam = await kith().person();
    const post = await publish(cam);
    const made: string[] = [];
    for (let n = 0; n < 12; n++)
      made.push((await say(cam, post, `comment ${n}`)).Guid);
    for (const key of [post.ID, post.Guid]) {
      const path = `/posts/${key}/comments`;
      const list = async (query: Record<string, number>) =>
        (await cam.get<CommentRecord[]>(path, query)).map(({ Guid }) => Guid);
      assert.deepEqual(await list({}), made.slice(0, 10));
      assert.deepEqual(await list({ offset: 10 }), made.slice(10));
      assert.deepEqual(await list({ offset: 3, limit: 2 }), made.slice(3, 5));
    }
  });

  test("a comment needs a text and a post that its author may see", async () => {
    const [dan, eve] = [await kith().person(), await kith().person()];
    const post = await publish(dan);
    const path = `/posts/${post.Guid}/comments`;
    for (const comment of ["", " \n "])
      await eve.blank("POST", path, { form: { comment } });
    await eve.blank("POST", path);
    const comment = "x".repeat(65_536);
    await eve.badRequest("POST", path, { form: { comment } });
    await eve.badRequest("POST", path, { json: { comment: { a: 1 } } });
    const form = { comment: "x" };
    for (const key of [0, -1, 77, "x", "0".repeat(32)])
      await eve.notFound("POST", `/posts/${key}/comments`, { form });
    const only = await say(dan, post, "a");
    await eve.notFound("POST", `/posts/${only.ID}/comments`, { form });
    await eve.notFound("GET", `/comments/${post.ID}`);
    await eve.notFound("GET", `/comments/${post.Guid}`);
  });

  test("a comment answers another one on the same post", async () => {
    const fay = await kith().person();
    const [one, two] = [await publish(fay), await publish(fay)];
    const first = await say(fay, one, "first");
    const path = `/posts/${one.ID}/comments`;
    const answer = await fay.post<CommentRecord>(path, {
      comment: "answer",
      parent_guid: first.Guid,
    });
    assert.equal(answer.ParentGuid, first.Guid);
    const shown = await fay.get<CommentRecord>(`/comments/${answer.ID}`);
    assert.equal(shown.ParentGuid, first.Guid);
    const elsewhere = await say(fay, two, "elsewhere");
    for (const parent_guid of [elsewhere.Guid, "0".repeat(32), one.Guid, "x"]) {
      const form = { comment: "answer", parent_guid };
      await fay.notFound("POST", path, { form });
    }
    const blank = { comment: "plain", parent_guid: "" };
    const plain = await fay.post<CommentRecord>(path, blank);
    assert.equal(plain.ParentGuid, null);
  });

  test("only its author and the author of the post delete a comment", async () => {
    const [gil, hal, ida] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const post = await publish(gil);
    const [one, two] = [await say(hal, post, "1"), await say(hal, post, "2")];
    for (const key of [one.Guid, one.ID])
      await ida.notFound("DELETE", `/comments/${key}`);
    await hal.delete(`/comments/${one.Guid}`);
    await gil.delete(`/comments/${two.Guid}`);
    for (const by of [gil, hal, ida])
      for (const { Guid, ID } of [one, two])
        for (const key of [Guid, ID]) {
          await by.notFound("GET", `/comments/${key}`);
          await by.notFound("DELETE", `/comments/${key}`);
        }
    const shown = await gil.get<PostRecord>(`/posts/${post.ID}`);
    assert.equal(shown.CommentsCount, 0);
  });

  test("a comment on a hidden post is as hidden", async () => {
    const [jan, kim, lou] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const { ID } = await jan.post<AspectRecord>("/aspects", { name: "a" });
    await jan.post(`/people/${kim.record.ID}/aspects/${ID}`);
    const post = await publish(jan, ID);
    const comment = await say(kim, post, "between us");
    assert.equal(
      (await jan.get<CommentRecord>(`/comments/${comment.ID}`)).Text,
      "between us",
    );
    for (const key of [comment.ID, comment.Guid]) {
      await lou.notFound("GET", `/comments/${key}`);
      await lou.notFound("DELETE", `/comments/${key}`);
      await lou.notFound("POST", `/comments/${key}/likes`);
      await lou.notFound("GET", `/comments/${key}/likes`);
    }
  });

  test("twenty concurrent deletions delete once, and are announced once", async () => {
    const max = await kith().person();
    const post = await publish(max);
    const comment = await say(max, post, "gone");
    await kith().settle();
    const path = `/comments/${comment.Guid}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => max.call("DELETE", path)),
    );
    const done = answers.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 404));
    const jobs = await kith()
      .db.read.selectFrom("jobs")
      .select("kind")
      .where("payload", "like", `%${comment.Guid}%`)
      .execute();
    assert.deepEqual(jobs.map(({ kind: name }) => name).toSorted(), [
      "fan-out",
      "notify",
    ]);
  });
});
