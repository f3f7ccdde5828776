import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  TIMESTAMP,
  type AspectRecord,
  type CommentRecord,
  type LikeRecord,
  type NotificationRecord,
  type PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, post: string, aspectID = 0) =>
    by.post<PostRecord>("/posts", { post, aspectID });
  const say = (by: TestPerson, on: PostRecord, comment: string) =>
    by.post<CommentRecord>(`/posts/${on.ID}/comments`, { comment });
  const notified = async (
    whom: TestPerson,
    query: Record<string, string> = {},
  ) => {
    await kith().settle();
    return whom.get<NotificationRecord[]>("/notifications", query);
  };
  const things = async (whom: TestPerson) =>
    (await notified(whom)).map(
      ({ ShareableType, ShareableGuid }) => `${ShareableType} ${ShareableGuid}`,
    );
  const aspectOf = async (by: TestPerson, ...members: TestPerson[]) => {
    const { ID } = await by.post<AspectRecord>("/aspects", { name: "a" });
    for (const { record } of members)
      await by.post(`/people/${record.ID}/aspects/${ID}`);
    return ID;
  };

  test("a user is notified of each kind of event, newest first", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await publish(ann, "talk to me");
    await aspectOf(bob, ann);
    const comment = await say(bob, post, "hi");
    const like = await bob.post<LikeRecord>(`/posts/${post.ID}/likes`);
    const said = await say(ann, post, "thanks");
    const liked = await bob.post<LikeRecord>(`/comments/${said.ID}/likes`);
    const reshare = await bob.post<PostRecord>(`/posts/${post.ID}/reshare`);
    const mention = await publish(bob, `hello @{${ann.handle}}`);
    assert.deepEqual(await things(ann), [
      `Post ${mention.Guid}`,
      `Post ${reshare.Guid}`,
      `Like ${liked.Guid}`,
      `Like ${like.Guid}`,
      `Comment ${comment.Guid}`,
      `Contact ${bob.record.Guid}`,
    ]);
    assert.deepEqual(await things(bob), []);
    const [first] = await notified(ann);
    assert.ok(first);
    const { ID, CreatedAt, UpdatedAt, Person, ...rest } = first;
    assert.ok(ID > 0);
    assert.match(CreatedAt, TIMESTAMP);
    assert.equal(UpdatedAt, CreatedAt);
    assert.equal(Person.Author, bob.handle);
    assert.deepEqual(rest, {
      UserID: ann.record.UserID,
      PersonID: bob.record.ID,
      Unread: true,
      ShareableType: "Post",
      ShareableGuid: mention.Guid,
      TargetType: "Post",
      TargetGuid: mention.Guid,
    });
  });

  test("no one is notified of their own actions", async () => {
    const cam = await kith().person();
    const post = await publish(cam, `I am @{${cam.handle}}`);
    const comment = await say(cam, post, `me @{${cam.handle}}`);
    await cam.post(`/posts/${post.ID}/likes`);
    await cam.post(`/comments/${comment.ID}/likes`);
    await cam.post(`/posts/${post.ID}/reshare`);
    assert.deepEqual(await things(cam), []);
  });

  test("the same event is notified once", async () => {
    const [dan, eve] = [await kith().person(), await kith().person()];
    const post = await publish(dan, "x");
    const both = `@{${dan.handle}} and again @{dan; ${dan.handle}}`;
    const comment = await say(eve, post, both);
    await eve.post(`/posts/${post.ID}/likes/true`);
    await eve.post(`/posts/${post.ID}/likes/true`);
    const member = `/people/${dan.record.ID}/aspects/${await aspectOf(eve, dan)}`;
    await eve.call("DELETE", member);
    await eve.post(member);
    const list = await things(dan);
    assert.equal(list.filter((it) => it.startsWith("Like")).length, 1);
    assert.equal(list.filter((it) => it.startsWith("Contact")).length, 1);
    assert.equal(
      list.filter((it) => it === `Comment ${comment.Guid}`).length,
      1,
      "a comment that also mentions the author is one thing",
    );
    assert.equal(list.length, 3);
  });

  test("a person who may not see a post is not notified of it", async () => {
    const [fay, gil, hal] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const text = `@{${gil.handle}} @{${hal.handle}} @{nobody@${kith().host}}`;
    const post = await publish(fay, text, await aspectOf(fay, gil));
    await say(fay, post, text);
    assert.deepEqual(await things(hal), []);
    assert.equal((await things(gil)).length, 3);
  });

  test("one notification is read, or all of them", async () => {
    const [ida, jan] = [await kith().person(), await kith().person()];
    for (let n = 0; n < 3; n++) await publish(jan, `${n} @{${ida.handle}}`);
    const [third, second] = await notified(ida);
    assert.ok(third && second);
    const path = `/notifications/${second.ID}`;
    assert.deepEqual(await ida.get(path), second);
    const read = await ida.put<NotificationRecord>(path);
    assert.equal(read.Unread, false);
    assert.equal(read.ID, second.ID);
    assert.deepEqual(
      await ida.put(path),
      read,
      "reading again changes nothing",
    );
    assert.equal((await notified(ida, { unread: "true" })).length, 2);
    assert.equal((await notified(ida, { unread: "false" })).length, 3);
    assert.deepEqual(await ida.put("/notifications"), {});
    assert.deepEqual(await notified(ida, { unread: "1" }), []);
    assert.equal((await notified(ida)).length, 3);
    assert.ok((await notified(ida)).every(({ Unread }) => !Unread));
    await ida.badRequest("GET", "/notifications", { query: { unread: "x" } });
    const query = { offset: "1", limit: "1", fields: "ID,Person(ID)" };
    assert.deepEqual(await notified(ida, query), [
      { ID: second.ID, Person: { ID: jan.record.ID } },
    ]);
  });

  test("another user's notification is as unknown as none", async () => {
    const [kim, lou] = [await kith().person(), await kith().person()];
    await publish(lou, `@{${kim.handle}}`);
    const [one] = await notified(kim);
    assert.ok(one);
    for (const id of [one.ID, 0, -1, 999_999, "x", "1.0", "9".repeat(30)])
      for (const method of ["GET", "PUT"])
        await lou.notFound(method, `/notifications/${id}`);
    await lou.put("/notifications");
    assert.deepEqual(await notified(kim), [one]);
  });

  test("a notification is removed with its object", async () => {
    const [max, ned] = [await kith().person(), await kith().person()];
    const post = await publish(max, "x");
    const comment = await say(ned, post, "hi");
    const like = await ned.post<LikeRecord>(`/posts/${post.ID}/likes`);
    const reshare = await ned.post<PostRecord>(`/posts/${post.ID}/reshare`);
    const mention = await publish(ned, `@{${max.handle}}`);
    assert.equal((await things(max)).length, 4);
    await ned.delete(`/likes/${like.Guid}`);
    assert.ok(!(await things(max)).includes(`Like ${like.Guid}`));
    await ned.delete(`/comments/${comment.Guid}`);
    assert.ok(!(await things(max)).includes(`Comment ${comment.Guid}`));
    await ned.delete(`/posts/${reshare.Guid}`);
    assert.deepEqual(await things(max), [`Post ${mention.Guid}`]);
    await ned.delete(`/posts/${mention.Guid}`);
    assert.deepEqual(await things(max), []);
  });

  test("notifications of the parts of a deleted object are removed with it", async () => {
    const [ola, pit] = [await kith().person(), await kith().person()];
    const post = await publish(ola, "x");
    const comment = await say(pit, post, "hi");
    await pit.post(`/posts/${post.ID}/likes`);
    const own = await say(ola, post, "own");
    await pit.post(`/comments/${own.ID}/likes`);
    await ola.post(`/comments/${comment.ID}/likes`);
    assert.equal((await things(ola)).length, 3);
    assert.equal((await things(pit)).length, 1);
    await pit.delete(`/comments/${comment.Guid}`);
    assert.deepEqual(await things(pit), []);
    assert.equal((await things(ola)).length, 2);
    await ola.delete(`/posts/${post.Guid}`);
    assert.deepEqual(await things(ola), []);
  });

  test("an action undone before its notification is not notified", async () => {
    const [quin, rea] = [await kith().person(), await kith().person()];
    const post = await publish(quin, "x");
    const like = await rea.post<LikeRecord>(`/posts/${post.ID}/likes`);
    await rea.delete(`/likes/${like.Guid}`);
    assert.deepEqual(await things(quin), []);
    const dislike = await rea.post<LikeRecord>(`/posts/${post.ID}/likes/false`);
    const back = await rea.post<LikeRecord>(`/posts/${post.ID}/likes/true`);
    const list = await things(quin);
    assert.ok(!list.includes(`Like ${dislike.Guid}`));
    assert.deepEqual(list, [`Like ${back.Guid}`]);
  });
});
