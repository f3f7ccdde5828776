import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

type Group = {
  readonly Key: string;
  readonly Count: number;
  readonly Unread: number;
  readonly NewestID: number;
  readonly OldestID: number;
  readonly ShareableType: string;
  readonly ShareableGuid: string;
  readonly People: readonly { readonly Author: string }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const publish = (by: TestPerson, post = "x") =>
    by.post<PostRecord>("/posts", { post, aspectID: 0 });
  const groups = async (
    whom: TestPerson,
    query: Record<string, string> = {},
  ) => {
    await kith().settle();
    return whom.get<Group[]>("/notifications/groups", query);
  };
  const shapes = (list: readonly Group[]) =>
    list.map(
      (it) =>
        `${it.Count}/${it.Unread} ${it.ShareableType} ${it.ShareableGuid}`,
    );

  test("likes and reshares of one thing are one group each", async () => {
    const ann = await kith().person();
    const post = await publish(ann);
    const said = await ann.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment: "mine",
    });
    const fans = [await kith().person(), await kith().person()];
    for (const fan of fans) {
      await fan.post(`/posts/${post.ID}/likes`);
      await fan.post(`/comments/${said.ID}/likes`);
      await fan.post(`/posts/${post.ID}/reshare`);
      await kith().settle();
    }
    const foe = await kith().person();
    await foe.post(`/posts/${post.ID}/likes/false`);
    const reply = await foe.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment: "no",
    });
    const list = await groups(ann);
    assert.deepEqual(
      shapes(list).toSorted(),
      [
        `1/1 Comment ${reply.Guid}`,
        `1/1 Post ${post.Guid}`,
        `2/2 Post ${post.Guid}`,
        `2/2 Comment ${said.Guid}`,
        `2/2 Post ${post.Guid}`,
      ].toSorted(),
    );
    assert.deepEqual(
      list
        .find(({ ShareableGuid }) => ShareableGuid === said.Guid)
        ?.People.map(({ Author }) => Author),
      [fans[1]?.handle, fans[0]?.handle],
      "the latest person first",
    );
    assert.equal(new Set(list.map(({ Key }) => Key)).size, 5);
    const unread = { Notifications: 8, Groups: 5 };
    assert.deepEqual(await ann.get("/notifications/unread"), unread);
  });

  test("a group is read as a whole, and as unknown to others as none", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await publish(ann);
    for (const fan of [bob, await kith().person()])
      await fan.post(`/posts/${post.ID}/likes`);
    const [group] = await groups(ann);
    assert.ok(group);
    const path = `/notifications/groups/${group.Key}`;
    await bob.notFound("PUT", path);
    await ann.notFound("PUT", "/notifications/groups/like-1-1");
    await ann.notFound("PUT", "/notifications/groups/x");
    assert.equal((await ann.put<Group>(path)).Unread, 0);
    assert.deepEqual(await groups(ann, { unread: "true" }), []);
    assert.deepEqual(await ann.get("/notifications/unread"), {
      Notifications: 0,
      Groups: 0,
    });
    const single = await ann.get<NotificationRecord[]>("/notifications");
    assert.ok(single.every(({ Unread }) => !Unread));
  });

  test("new followers are one group, and pages go on where one ended", async () => {
    const ann = await kith().person();
    for (let n = 0; n < 3; n++) {
      const fan = await kith().person();
      const { ID } = await fan.post<AspectRecord>("/aspects", { name: "a" });
      await fan.post(`/people/${ann.record.ID}/aspects/${ID}`);
    }
    // Jobs run side by side: the follows are told before the mentions begin.
    await kith().settle();
    const bob = await kith().person();
    for (let n = 0; n < 3; n++) await publish(bob, `${n} @{${ann.handle}}`);
    const all = await groups(ann);
    assert.deepEqual(
      all.map(({ Count }) => Count),
      [1, 1, 1, 3],
    );
    const first = await groups(ann, { limit: "2" });
    const before = Math.min(...first.map(({ OldestID }) => OldestID));
    const second = await groups(ann, { before: String(before) });
    assert.deepEqual([...first, ...second], all);
    assert.deepEqual(await groups(ann, { offset: "2" }), all.slice(2));
  });
});
