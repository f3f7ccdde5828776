import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  objectOf,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { NotificationRecord, PostRecord } from "../support/server/wire.ts";

/** Activities below a post of another server, applied before they are answered. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let ann: TestPerson;
  let author: RemoteActor;
  let fan: RemoteActor;
  /** A public post of the author. */
  let note: JsonObject;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
    ann = await kith().person();
    // Activities of the same moment have the same signature, however often they are sent.
    kith().clock.stopAt(new Date(kith().clock.now()));
    author = await followed();
    fan = await followed();
    note = author.note();
    const create = author.activity("Create", { object: note, to: [PUBLIC] });
    await author.deliver(kith(), create);
  });
  after(() => remote.close());

  const followed = async (): Promise<RemoteActor> => {
    const other = remote.actor(`quick${++names}`);
    await sendFollow(kith(), ann, other);
    // Its first activity lets its keys be known.
    await other.deliver(kith(), other.activity("Listen", {}));
    return other;
  };
  const say = async (by: RemoteActor, activity: JsonObject, to?: string) => {
    kith().clock.advance(2000);
    const sending = to === undefined ? {} : { to };
    const { status } = await by.send(kith(), activity, sending);
    assert.equal(status, 202);
  };
  /** The kinds of the jobs that wait, apart from the recurring ones. */
  const jobs = async () => {
    const kinds = ["fan-out", "handle-inbound", "notify"];
    const rows = await kith()
      .db.read.selectFrom("jobs")
      .select("kind")
      .where("kind", "in", kinds)
      .where("state", "<>", "dead")
      .execute();
    return rows.map(({ kind: name }) => name).toSorted();
  };
  const idOf = ({ id }: JsonObject): string => {
    assert.ok(typeof id === "string");
    return id;
  };
  const { stringify } = JSON;
  const reply = (by: RemoteActor, to: string, members: JsonObject = {}) =>
    by.activity("Create", {
      object: by.note({ inReplyTo: to, content: "<p>yes</p>", ...members }),
      to: [PUBLIC],
    });
  const commentOf = ({ object }: JsonObject) =>
    kith().server.features.comments.find({ uri: idOf(object as JsonObject) });
  const likeOf = (like: JsonObject) =>
    kith().server.features.likes.find({ uri: idOf(like) });

  test("a reply, a like, its Undo and a reshare cause no job where nobody here is concerned", async () => {
    const answer = reply(fan, idOf(note));
    await say(fan, answer);
    assert.ok(await commentOf(answer));
    const like = fan.activity("Like", { object: idOf(note) });
    await say(fan, like);
    assert.ok(await likeOf(like));
    await say(fan, fan.activity("Undo", { object: like }));
    assert.equal(await likeOf(like), undefined);
    const share = fan.activity("Announce", {
      object: idOf(note),
      to: [PUBLIC],
    });
    await say(fan, share);
    const { posts } = kith().server.features;
    assert.ok(await posts.find({ uri: idOf(share) }));
    await say(fan, fan.activity("Delete", { object: idOf(share) }));
    assert.equal(await posts.find({ uri: idOf(share) }), undefined);
    assert.deepEqual(await jobs(), []);
  });

  test("nobody else deletes a post, and a captured Create does not bring it back", async () => {
    const { posts } = kith().server.features;
    const other = await followed();
    const object = fan.note();
    const create = fan.activity("Create", { object, to: [PUBLIC] });
    await say(fan, create);
    for (const by of [other, author]) {
      await say(by, by.activity("Delete", { object: idOf(object) }));
      await kith().settle();
      assert.ok(await posts.find({ uri: idOf(object) }));
    }
    await say(fan, fan.activity("Delete", { object: idOf(object) }));
    assert.equal(await posts.find({ uri: idOf(object) }), undefined);
    await say(fan, create);
    await kith().settle();
    assert.equal(await posts.find({ uri: idOf(object) }), undefined);
  });

  test("a deleted post takes its notifications with it, and revokes its quotes", async () => {
    const { posts, quotes } = kith().server.features;
    const href = actorOf(kith(), ann.username);
    const tag = [{ type: "Mention", href, name: `@${ann.username}` }];
    const object = fan.note({ tag, cc: [href] });
    const plain = fan.note();
    for (const one of [object, plain])
      await say(fan, fan.activity("Create", { object: one, to: [PUBLIC] }));
    await kith().settle();
    const quoted = await posts.find({ uri: idOf(plain) });
    const quote = fan.note({ quote: idOf(plain) });
    await say(fan, fan.activity("Create", { object: quote, to: [PUBLIC] }));
    await kith().settle();
    const about = async () =>
      (await ann.get<NotificationRecord[]>("/notifications")).length;
    const before = await about();
    for (const one of [object, plain]) {
      await say(fan, fan.activity("Delete", { object: idOf(one) }));
      assert.equal(await posts.find({ uri: idOf(one) }), undefined);
    }
    await kith().settle();
    assert.equal(await about(), before - 1);
    const quoting = await posts.find({ uri: idOf(quote) });
    assert.ok(quoted && quoting);
    assert.notEqual((await quotes.find(quoting.id))?.state, "accepted");
  });

  test("a captured Like brings nothing back after its Undo, and a new one counts", async () => {
    const like = fan.activity("Like", { object: idOf(note) });
    const then = new Date(kith().clock.now());
    await fan.send(kith(), like);
    assert.ok(await likeOf(like));
    await say(fan, fan.activity("Undo", { object: like }));
    const now = new Date(kith().clock.now());
    kith().clock.stopAt(then);
    await fan.send(kith(), like);
    await kith().settle();
    assert.equal(await likeOf(like), undefined);
    kith().clock.stopAt(now);
    await say(fan, like);
    assert.ok(await likeOf(like), "under the same id");
  });

  test("an Undo by somebody else changes nothing", async () => {
    const like = fan.activity("Like", { object: idOf(note) });
    await say(fan, like);
    const other = await followed();
    const forged = { ...like, actor: other.id };
    for (const object of [like, forged, idOf(like)]) {
      await say(other, other.activity("Undo", { object }));
      await kith().settle();
      assert.ok(await likeOf(like), stringify(object));
    }
    await say(fan, fan.activity("Undo", { object: like }));
  });

  test("one that is unreadable is accepted, and changes nothing", async () => {
    const actor = fan.id;
    for (const object of [
      { type: "Like" },
      { type: "Like", id: 1, actor },
      { type: ["Like", "Follow"], actor, id: `${fan.id}/x` },
      { type: "Like", actor: { id: "nobody" }, id: `${fan.id}/x` },
    ] as JsonObject[])
      await say(fan, fan.activity("Undo", { object }));
    await kith().settle();
    assert.deepEqual(await jobs(), []);
  });

  test("a Dislike takes the place of a Like", async () => {
    const [like, dislike] = ["Like", "Dislike"].map((type) =>
      fan.activity(type, { object: idOf(note) }),
    ) as [JsonObject, JsonObject];
    await say(fan, like);
    await say(fan, dislike);
    assert.equal(await likeOf(like), undefined);
    assert.equal((await likeOf(dislike))?.positive, false);
    assert.deepEqual(await jobs(), []);
    await say(fan, fan.activity("Undo", { object: dislike }));
    assert.equal(await likeOf(dislike), undefined);
  });

  test("the same one many times at once is stored once", async () => {
    const like = fan.activity("Like", { object: idOf(note) });
    const answer = reply(fan, idOf(note));
    const share = author.activity("Announce", {
      ...{ object: idOf(note), to: [PUBLIC] },
    });
    for (const [by, activity] of [
      [fan, like],
      [fan, answer],
      [author, share],
    ] as const)
      await Promise.all(Array.from({ length: 8 }, () => say(by, activity)));
    await kith().settle();
    const { posts, likes } = kith().server.features;
    const post = await posts.find({ uri: idOf(note) });
    assert.ok(post);
    const viewer = null;
    const page = { limit: 20, offset: 0 };
    const listed = await likes.list({ post: { id: post.id } }, viewer, page);
    assert.equal(listed.length, 1);
    assert.ok(await commentOf(answer));
    assert.ok(await posts.find({ uri: idOf(share) }));
    await say(fan, fan.activity("Undo", { object: like }));
  });

  test("a reply to few does not become public below a public post", async () => {
    const to = [actorOf(kith(), ann.username)];
    const answer = reply(fan, idOf(note), { to, content: "between us" });
    await say(fan, { ...answer, to });
    await kith().settle();
    assert.equal(await commentOf(answer), undefined);
    const { posts } = kith().server.features;
    const { id } = answer["object"] as JsonObject;
    assert.equal((await posts.find({ uri: id as string }))?.public, false);
  });

  test("a reply that mentions somebody here, answers a comment of theirs, or is below their post notifies them", async () => {
    const tag = {
      type: "Mention",
      href: actorOf(kith(), ann.username),
      name: `@${ann.username}`,
    };
    const post = await kith().server.features.posts.find({ uri: idOf(note) });
    const mine = await ann.post<{ Guid: string }>(
      `/posts/${String(post?.guid)}/comments`,
      { comment: "mine" },
    );
    const own = await ann.post<PostRecord>("/posts", { post: "my own" });
    await kith().settle();
    const count = async () =>
      (await ann.get<NotificationRecord[]>("/notifications")).length;
    for (const activity of [
      reply(fan, idOf(note), { tag: [tag] }),
      reply(fan, objectOf(kith(), mine.Guid)),
      reply(fan, objectOf(kith(), own.Guid)),
      fan.activity("Like", { object: objectOf(kith(), own.Guid) }),
      fan.activity("Like", { object: objectOf(kith(), mine.Guid) }),
      fan.activity("Announce", {
        ...{ object: objectOf(kith(), own.Guid), to: [PUBLIC] },
      }),
    ]) {
      const before = await count();
      await say(fan, activity);
      await kith().settle();
      assert.equal(await count(), before + 1, stringify(activity));
    }
  });

  test("nothing overtakes an earlier activity of the same person", async () => {
    const late = await followed();
    const like = late.activity("Like", { object: idOf(note) });
    // This one is left to the worker.
    await say(late, late.activity("Listen", { object: idOf(note) }));
    await say(late, like);
    assert.equal(await likeOf(like), undefined);
    await kith().settle();
    assert.ok(await likeOf(like));
  });
});
