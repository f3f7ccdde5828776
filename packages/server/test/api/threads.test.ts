import assert from "node:assert/strict";
import { before, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

type Thread = {
  Post: PostRecord;
  Ancestors: CommentRecord[];
  Comment: CommentRecord | null;
  Descendants: (CommentRecord & { Depth: number })[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let ben: TestPerson;
  let cat: TestPerson;
  before(async () => {
    [ann, ben, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
  });

  const publish = () => ann.post<PostRecord>("/posts", { post: "root" });
  const reply = (
    by: TestPerson,
    post: PostRecord,
    comment: string,
    to?: CommentRecord,
  ) =>
    by.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment,
      ...(to && { parent_guid: to.Guid }),
    });
  const show = (comments: (CommentRecord & { Depth: number })[]) =>
    comments.map(({ Depth, Text }) => `${"-".repeat(Depth)}${Text}`).join(" ");
  const texts = (comments: CommentRecord[]) =>
    comments.map(({ Text }) => Text).join(" ");

  /** a(b(d), c(e)), f */
  async function converse() {
    const post = await publish();
    const a = await reply(ann, post, "a");
    const b = await reply(ben, post, "b", a);
    const c = await reply(cat, post, "c", a);
    const d = await reply(cat, post, "d", b);
    const e = await reply(ann, post, "e", c);
    const f = await reply(ben, post, "f");
    return { post, a, b, c, d, e, f };
  }

  test("one call shows a conversation in order, from its post or any comment", async () => {
    const { post, a, b, c, d } = await converse();
    const whole = await ann.get<Thread>(`/posts/${post.Guid}/thread`);
    assert.equal(whole.Post.Guid, post.Guid);
    assert.equal(whole.Comment, null);
    assert.deepEqual(whole.Ancestors, []);
    assert.equal(show(whole.Descendants), "-a --b ---d --c ---e -f");
    assert.equal(whole.Descendants[2]?.ParentGuid, b.Guid);
    const path = `/posts/${post.ID}/thread`;
    const page = await ann.get<Thread>(path, { offset: 2, limit: 2 });
    assert.equal(show(page.Descendants), "---d --c");
    const beside = await ann.get<Thread>(path, { after: d.ID, limit: 2 });
    assert.equal(show(beside.Descendants), "--c ---e");
    await ann.badRequest("GET", path, { query: { after: 1 } });
    const middle = await ann.get<Thread>(`/comments/${b.ID}/thread`);
    assert.equal(middle.Post.ID, post.ID);
    assert.equal(texts(middle.Ancestors), "a");
    assert.equal(middle.Comment?.Guid, b.Guid);
    assert.equal(show(middle.Descendants), "-d");
    const leaf = await ann.get<Thread>(`/comments/${d.Guid}/thread`);
    assert.equal(texts(leaf.Ancestors), "a b");
    const top = await ann.get<Thread>(`/comments/${a.ID}/thread`, { limit: 3 });
    assert.equal(show(top.Descendants), "-b --d -c");
    assert.ok(c);
  });

  test("a thread shows a hidden parent as it shows a deleted one", async () => {
    const { post, b, d } = await converse();
    await cat.post(`/people/${ben.record.ID}/ignore`);
    const seen = async () =>
      cat.get<Thread>(`/posts/${post.ID}/thread`).then((it) => ({
        thread: show(it.Descendants),
        parent: it.Descendants.find(({ ID }) => ID === d.ID)?.ParentGuid,
      }));
    const hidden = await seen();
    assert.deepEqual(hidden, {
      thread: "-a --c ---e -d",
      parent: b.Guid,
    });
    const above = async () =>
      texts((await cat.get<Thread>(`/comments/${d.ID}/thread`)).Ancestors);
    assert.equal(await above(), "");
    await ben.delete(`/comments/${b.ID}`);
    assert.deepEqual(await seen(), hidden);
    assert.equal(await above(), "");
    await cat.delete(`/people/${ben.record.ID}/ignore`);
  });

  test("a reply to a comment that is gone is refused, and those below it stay", async () => {
    const { post, a, c } = await converse();
    await ann.delete(`/comments/${a.ID}`);
    const form = { comment: "late", parent_guid: a.Guid };
    await ben.notFound("POST", `/posts/${post.ID}/comments`, { form });
    const thread = await ben.get<Thread>(`/posts/${post.ID}/thread`);
    assert.equal(show(thread.Descendants), "-b --d -c --e -f");
    const below = await ben.get<Thread>(`/comments/${c.ID}/thread`);
    assert.equal(show(below.Descendants), "-e");
    await ben.notFound("GET", `/comments/${a.ID}/thread`);
  });

  test("comments that name each other as parents are shown once", async () => {
    const { post, a, d } = await converse();
    await kith().db.transaction((tx) =>
      tx
        .updateTable("comments")
        .set({ parent_guid: d.Guid })
        .where("id", "=", a.ID)
        .execute(),
    );
    const whole = await ann.get<Thread>(`/posts/${post.ID}/thread`);
    assert.equal(show(whole.Descendants), "-f -a --b ---d --c ---e");
    const part = await ann.get<Thread>(`/comments/${a.ID}/thread`);
    assert.equal(show(part.Descendants), "-b --d -c --e");
    assert.equal(texts(part.Ancestors), "b d");
  });

  const notified = async (by: TestPerson) => {
    await kith().settle();
    const all = await by.get<NotificationRecord[]>("/notifications", {
      limit: 100,
    });
    return all.length;
  };

  test("a muted conversation notifies its user of nothing, and only this user", async () => {
    const post = await publish();
    const own = await reply(ben, post, "mine");
    const before = [await notified(ann), await notified(ben)];
    const path = `/posts/${post.ID}`;
    for (const _ of [1, 2]) assert.deepEqual(await ann.put(`${path}/mute`), {});
    const isMuted = async (by: TestPerson) =>
      (await by.get<PostRecord & { Muted?: boolean }>(path)).Muted;
    assert.equal(await isMuted(ann), true);
    assert.equal(await isMuted(ben), undefined);
    await reply(cat, post, `@{${ann.handle}} @{${ben.handle}}`, own);
    await cat.post(`${path}/likes`);
    await cat.post(`${path}/reshare`);
    assert.deepEqual(
      [await notified(ann), await notified(ben)],
      [before[0], (before[1] ?? 0) + 1],
    );
    await ann.delete(`${path}/mute`);
    await ann.delete(`${path}/mute`);
    assert.equal(await isMuted(ann), undefined);
    await reply(cat, post, "again");
    assert.equal(await notified(ann), (before[0] ?? 0) + 1);
  });

  test("only a post that one sees can be muted", async () => {
    const { ID: aspectID } = await ann.post<{ ID: number }>("/aspects", {
      name: "few",
    });
    const form = { post: "hush", aspectID };
    const { ID } = await ann.post<PostRecord>("/posts", form);
    for (const method of ["PUT", "DELETE"])
      await ben.notFound(method, `/posts/${ID}/mute`);
    await ben.notFound("GET", `/posts/${ID}/thread`);
  });
});
