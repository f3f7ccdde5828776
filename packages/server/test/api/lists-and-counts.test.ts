import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { read } from "../support/remote/linked-data.ts";
import { aspectOf, keepAway, plan } from "../support/scenes/planning.ts";
import type {
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const people = async (count: number) => {
    const all: TestPerson[] = [];
    for (let n = 0; n < count; n++) all.push(await kith().person());
    return all as [TestPerson, TestPerson, TestPerson, TestPerson];
  };
  const suspend = ({ record }: TestPerson) =>
    kith().db.transaction((tx) =>
      tx
        .updateTable("people")
        .set({ state: "shut_out" })
        .where("id", "=", record.ID)
        .execute(),
    );
  const reshare = (by: TestPerson, { Guid }: PostRecord) =>
    by.post<PostRecord>(`/posts/${Guid}/reshare`);

  test("a hidden post stays hidden when another person reshares it, in every list", async () => {
    const [ann, bob, cid] = await people(3);
    const post = "hide #secondhand";
    const root = await bob.post<PostRecord>("/posts", { post });
    const before = await reshare(cid, root);
    const aspect = await aspectOf(ann, bob, cid);
    const { ID } = await ann.post<{ ID: number }>("/users/streams", {
      name: "s",
      expression: `@${cid.handle} or #secondhand`,
    });
    await kith().settle();
    const inbox = `${kith().baseUrl}/api/v1/ap/person/${ann.username}/inbox`;
    const lists = async () => {
      const found: string[] = [];
      const paths = [
        "/posts",
        "/tags/secondhand/posts",
        `/users/streams/${ID}/posts`,
      ];
      for (const path of paths)
        for (const visibility of path === "/posts" ? [0, 1] : [0])
          for (const { Guid, RootGuid } of await ann.get<PostRecord[]>(
            path,
            path === "/posts" ? { visibility, limit: 100 } : { limit: 100 },
          ))
            if ([Guid, RootGuid].includes(root.Guid))
              found.push(`${path} ${Guid}`);
      const { totalItems } = await read(inbox, ann);
      return [...found, Number(totalItems)];
    };
    assert.ok(aspect > 0);
    const shown = await lists();
    assert.ok(shown.length > 5 && shown.at(-1) === 2, shown.join("\n"));
    await ann.delete(`/posts/${root.Guid}`);
    const [dot] = await people(1);
    await aspectOf(ann, dot);
    await reshare(dot, root);
    assert.deepEqual(await lists(), [0]);
    assert.equal(
      (await ann.get<PostRecord>(`/posts/${before.ID}`)).ID,
      before.ID,
    );
  });

  test("the count of reshares equals the listed ones, whoever blocks whom", async () => {
    const [ann, bob, cid, dot] = await people(4);
    const root = await ann.post<PostRecord>("/posts", { post: "root" });
    for (const one of [bob, cid, dot]) await reshare(one, root);
    const seenBy = async (by: TestPerson) => {
      const listed = await by.get<PostRecord[]>(`/posts/${root.ID}/reshares`);
      const { ResharesCount } = await by.get<PostRecord>(`/posts/${root.ID}`);
      assert.equal(ResharesCount, listed.length);
      return listed.length;
    };
    const [viewer] = await people(1);
    assert.equal(await seenBy(viewer), 3);
    await keepAway(kith(), "block", bob, viewer);
    assert.equal(await seenBy(viewer), 2);
    assert.equal(await seenBy(bob), 3);
    await keepAway(kith(), "ignore", viewer, cid);
    await keepAway(kith(), "block", viewer, dot);
    await seenBy(viewer);
    await suspend(dot);
    await seenBy(viewer);
    assert.equal(await seenBy(ann), 2);
  });

  test("as many comments are counted as are listed, whomever the reader avoids", async () => {
    const [ann, bob, cid, dot] = await people(4);
    const root = await ann.post<PostRecord>("/posts", { post: "root" });
    const path = `/posts/${root.ID}`;
    for (const one of [bob, cid, dot])
      await one.post(`${path}/comments`, { comment: "said" });
    const seenBy = async (by: TestPerson) => {
      const listed = await by.get<CommentRecord[]>(`${path}/comments`);
      const { CommentsCount, Comments } = await by.get<PostRecord>(path);
      assert.equal(CommentsCount, listed.length);
      assert.equal(Comments.length, listed.length);
      return listed.length;
    };
    assert.equal(await seenBy(ann), 3);
    await keepAway(kith(), "ignore", ann, bob);
    assert.equal(await seenBy(ann), 2);
    await keepAway(kith(), "block", ann, cid);
    assert.equal(await seenBy(ann), 1);
    assert.equal(await seenBy(bob), 3);
    await suspend(dot);
    assert.equal(await seenBy(ann), 0);
    assert.equal(await seenBy(bob), 2);
  });

  test("the votes of suspended people do not count", async () => {
    const [ann, bob, cid] = await people(3);
    const json = {
      post: "tell me",
      poll_question: "What?",
      poll_answer: ["tea", "coffee"],
      poll_multiple: true,
    };
    const { text } = await ann.call("POST", "/posts", { json });
    const post = JSON.parse(text) as PostRecord;
    const chosen = post.Poll?.Answers.map(({ Guid }) => Guid) ?? [];
    for (const [by, answer] of [
      [bob, chosen],
      [cid, chosen.slice(0, 1)],
    ] as const)
      await by.call("POST", `/posts/${post.ID}/poll/votes`, {
        json: { answer },
      });
    const counted = async () => {
      const { Poll } = await ann.get<PostRecord>(`/posts/${post.ID}`);
      const note = await read(
        `${kith().baseUrl}/api/v1/ap/object/${post.Guid}`,
      );
      return [Poll?.Answers.map(({ Votes }) => Votes), note["votersCount"]];
    };
    assert.deepEqual(await counted(), [[2, 1], 2]);
    await suspend(bob);
    assert.deepEqual(await counted(), [[1, 0], 1]);
  });

  test("a notification of an event goes when the event may not be seen any more", async () => {
    const [ann, bob, cid] = await people(3);
    const aspectID = await aspectOf(ann, bob, cid);
    const event = await plan(ann, { aspectID });
    await kith().settle();
    const notified = async (whom: TestPerson) =>
      (await whom.get<NotificationRecord[]>("/notifications")).filter(
        ({ ShareableType }) => ShareableType === "Event",
      );
    const [first] = await notified(bob);
    assert.equal(first?.ShareableGuid, event.Guid);
    assert.equal((await notified(cid)).length, 1);
    await keepAway(kith(), "block", ann, bob);
    assert.deepEqual(await notified(bob), []);
    await bob.notFound("GET", `/notifications/${first?.ID ?? 0}`);
    assert.equal((await notified(cid)).length, 1);
  });
});
