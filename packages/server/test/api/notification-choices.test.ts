import assert from "node:assert/strict";
import { test } from "node:test";
import { say, startTalk } from "../support/conversations/talking.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

type Choices = Readonly<Record<string, string | boolean>>;

const EVERYTHING: Choices = {
  Comment: "everyone",
  Mention: "everyone",
  Message: "everyone",
  Like: "everyone",
  Reshare: "everyone",
  Follower: "everyone",
  FollowRequest: "everyone",
  Event: "everyone",
  Poll: "everyone",
  Edit: "everyone",
  DropNotFollowing: false,
  DropNotFollowers: false,
  DropNewPeople: false,
  DropPrivateMessages: false,
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const choose = (who: TestPerson, changes: Record<string, string>) =>
    who.put<Choices>("/notifications/choices", changes);
  const publish = (by: TestPerson, post = "x") =>
    by.post<PostRecord>("/posts", { post, aspectID: 0 });
  const follow = async (by: TestPerson, whom: TestPerson) => {
    const { ID } = await by.post<AspectRecord>("/aspects", { name: "a" });
    await by.post(`/people/${whom.record.ID}/aspects/${ID}`);
  };
  const notified = async (whom: TestPerson) => {
    await kith().settle();
    const list = await whom.get<NotificationRecord[]>("/notifications");
    return list.map((it) => `${it.ShareableType} ${it.Person.Author}`);
  };

  test("everything is chosen at first, and a change leaves the rest", async () => {
    const ann = await kith().person();
    assert.deepEqual(await ann.get("/notifications/choices"), EVERYTHING);
    const changed = { ...EVERYTHING, Like: "nobody", DropNewPeople: true };
    assert.deepEqual(
      await choose(ann, { like: "nobody", drop_new_people: "true" }),
      changed,
    );
    const more = { ...changed, Mention: "following", DropNewPeople: false };
    assert.deepEqual(
      await choose(ann, { mention: "following", drop_new_people: "false" }),
      more,
    );
    await ann.badRequest("PUT", "/notifications/choices", {
      form: { like: "friends" },
    });
    assert.deepEqual(await ann.get("/notifications/choices"), more);
  });

  test("changes of different kinds at once are all kept", async () => {
    const ann = await kith().person();
    const kinds = ["comment", "mention", "message", "like", "reshare"];
    await Promise.all(kinds.map((it) => choose(ann, { [it]: "nobody" })));
    const { Event, Follower, FollowRequest, ...rest } = await ann.get<Choices>(
      "/notifications/choices",
    );
    assert.deepEqual(
      [Event, Follower, FollowRequest],
      ["everyone", "everyone", "everyone"],
    );
    const chosen = Object.values(rest).filter((it) => it === "nobody");
    assert.equal(chosen.length, kinds.length);
  });

  test("each kind is chosen by itself", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    await follow(ann, bob);
    await choose(ann, { like: "nobody", comment: "following" });
    const post = await publish(ann);
    for (const who of [bob, cat]) {
      await who.post(`/posts/${post.ID}/likes`);
      await who.post<CommentRecord>(`/posts/${post.ID}/comments`, {
        comment: "hi",
      });
      await who.post(`/posts/${post.ID}/reshare`);
    }
    assert.deepEqual((await notified(ann)).toSorted(), [
      `Comment ${bob.handle}`,
      `Post ${bob.handle}`,
      `Post ${cat.handle}`,
    ]);
  });

  test("people who are not wanted never notify", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    await follow(ann, bob);
    const mention = (by: TestPerson) => publish(by, `@{${ann.handle}}`);
    await choose(ann, { drop_new_people: "true" });
    await mention(bob);
    await mention(cat);
    assert.deepEqual(await notified(ann), [`Post ${bob.handle}`]);
    await choose(ann, { drop_new_people: "false", drop_not_followers: "true" });
    await mention(bob);
    await mention(cat);
    assert.equal((await notified(ann)).length, 1);
    await follow(cat, ann);
    await mention(cat);
    assert.equal((await notified(ann)).length, 3);
    await choose(ann, {
      drop_not_followers: "false",
      drop_not_following: "true",
    });
    await mention(cat);
    await mention(bob);
    assert.equal((await notified(ann)).length, 4);
  });

  test("strangers write unnoticed until they are answered", async () => {
    const [ann, cat] = [await kith().person(), await kith().person()];
    await choose(ann, { drop_private_messages: "true" });
    const talk = await startTalk(cat, [ann.record.ID]);
    assert.deepEqual(await notified(ann), []);
    await say(ann, talk, "yes?");
    await say(cat, talk, "well");
    assert.deepEqual(await notified(ann), [`Post ${cat.handle}`]);
  });
});
