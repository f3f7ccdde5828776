import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { newGuid } from "../../src/lib/guids.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  objectOf,
  read,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type {
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

/** Answers to what is not here, and answers to those who are elsewhere. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let other: RemoteServer;
  let ann: TestPerson;
  let eve: RemoteActor;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
    other = await RemoteServer.start();
    ann = await kith().person();
    eve = await followed();
  });
  after(async () => {
    await remote.close();
    await other.close();
  });

  const followed = async (): Promise<RemoteActor> => {
    const one = remote.actor(`answering${++names}`);
    await sendFollow(kith(), ann, one);
    return one;
  };
  const mention = () => ({
    type: "Mention",
    href: actorOf(kith(), ann.username),
    name: `@${ann.username}`,
  });
  /** A reply that mentions ann. */
  const replyOf = (by: RemoteActor, to: string, members: JsonObject = {}) =>
    by.note({
      ...{ inReplyTo: to, tag: [mention()], to: [PUBLIC] },
      cc: [actorOf(kith(), ann.username)],
      ...members,
    });
  const create = async (by: RemoteActor, object: JsonObject) => {
    const { to = [], cc = [] } = object;
    await by.deliver(kith(), by.activity("Create", { object, to, cc }));
  };
  const idOf = ({ id }: JsonObject): string => {
    assert.ok(typeof id === "string");
    return id;
  };
  const postOf = (note: JsonObject) =>
    kith().server.features.posts.find({ uri: idOf(note) });
  const commentOf = (note: JsonObject) =>
    kith().server.features.comments.find({ uri: idOf(note) });
  const count = async () =>
    (await ann.get<NotificationRecord[]>("/notifications")).length;

  test("a reply that mentions somebody here is theirs, though what it answers is gone", async () => {
    const before = await count();
    const note = replyOf(eve, other.newId("notes"));
    await create(eve, note);
    assert.equal((await postOf(note))?.public, true);
    assert.equal(await count(), before + 1);
  });

  test("a reply to something deleted does not come back as a post", async () => {
    const post = await ann.post<PostRecord>("/posts", { post: "not for long" });
    const remoteOne = eve.note();
    await create(eve, remoteOne);
    await ann.call("DELETE", `/posts/${post.Guid}`);
    const object = idOf(remoteOne);
    await eve.deliver(kith(), eve.activity("Delete", { object }));
    for (const gone of [objectOf(kith(), post.Guid), object]) {
      const note = replyOf(eve, gone);
      await create(eve, note);
      for (let time = 0; time < 6; time += 1) {
        kith().clock.advance(10 * 60_000);
        await kith().settle();
      }
      assert.equal(await postOf(note), undefined, gone);
      assert.equal(await commentOf(note), undefined, gone);
    }
  });

  test("one from a server that announces its threads comes with its thread", async () => {
    const members = { "diaspora:guid": newGuid() };
    const note = replyOf(eve, other.newId("notes"), members);
    await create(eve, note);
    assert.equal(await postOf(note), undefined);
  });

  test("one to nobody here is not stored", async () => {
    const note = replyOf(eve, other.newId("notes"), { tag: [], cc: [] });
    await create(eve, note);
    assert.equal(await postOf(note), undefined);
  });

  test("a private reply in a thread that is not here reaches the people it is for, and nobody else", async () => {
    const bob = await kith().person();
    const to = [actorOf(kith(), ann.username), other.actor("carol").id];
    const tag = [
      mention(),
      { type: "Mention", href: other.actor("carol").id, name: "@carol" },
    ];
    const note = replyOf(eve, other.newId("notes"), { to, cc: [], tag });
    await create(eve, note);
    const post = await postOf(note);
    assert.equal(post?.public, false);
    const { status } = await ann.call("GET", `/posts/${post.guid}`);
    assert.equal(status, 200);
    const hidden = await bob.call("GET", `/posts/${post.guid}`);
    assert.equal(hidden.status, 404);
  });

  test("a reply to something that its author may not see here is dropped: its server announces the thread", async () => {
    const joe = await followed();
    await eve.acceptFollow(kith());
    const hidden = eve.note({ to: [`${eve.id}/followers`] });
    await create(eve, hidden);
    assert.ok(await postOf(hidden));
    const note = replyOf(joe, idOf(hidden));
    await create(joe, note);
    assert.equal(await commentOf(note), undefined);
    assert.equal(await postOf(note), undefined);
  });

  test("a reply whose parent's server does not answer now waits for it", async () => {
    const parent = eve.note();
    const path = new URL(idOf(parent)).pathname;
    remote.answers.set(path, (response) => response.writeHead(503).end());
    const note = replyOf(await followed(), idOf(parent));
    const joe = remote.actor(`answering${names}`);
    await create(joe, note);
    assert.equal(await postOf(note), undefined);
    remote.answers.delete(path);
    remote.documents.set(idOf(parent), {
      "@context": "https://www.w3.org/ns/activitystreams",
      ...parent,
    });
    kith().clock.advance(10 * 60_000);
    await kith().settle();
    assert.ok(await commentOf(note));
  });

  test("and is a post of its own, if that server stays away", async () => {
    const joe = await followed();
    const parent = eve.note();
    const path = new URL(idOf(parent)).pathname;
    remote.answers.set(path, (response) => response.writeHead(503).end());
    const note = replyOf(joe, idOf(parent));
    await create(joe, note);
    for (let time = 0; time < 12; time += 1) {
      kith().clock.advance(6 * 3_600_000);
      await kith().settle();
    }
    assert.ok(await postOf(note));
  });

  test("an answer to somebody's comment, and its deletion, go to their server, named in the text or not", async () => {
    const post = await ann.post<PostRecord>("/posts", { post: "mine" });
    const kim = other.actor("kim");
    const question = kim.note({ inReplyTo: objectOf(kith(), post.Guid) });
    await create(kim, question);
    const { guid } = (await commentOf(question)) ?? { guid: "" };
    const path = `/posts/${post.Guid}/comments`;
    const said = { comment: "hello", parent_guid: guid };
    const answer = await ann.post<CommentRecord>(path, said);
    await kith().settle();
    const sent = () =>
      other.delivered
        .filter(({ path: to }) => to.startsWith("/users/kim"))
        .map(({ activity }) => activity["type"]);
    assert.deepEqual(sent(), ["Create"]);
    await ann.call("DELETE", `/comments/${answer.Guid}`);
    await kith().settle();
    assert.deepEqual(sent(), ["Create", "Delete"]);
  });

  test("an object without addresses is for the audience of its activity", async () => {
    const { to: _, cc: __, ...note } = eve.note();
    const activity = eve.activity("Create", { object: note, to: [PUBLIC] });
    await eve.deliver(kith(), activity);
    assert.equal((await postOf(note))?.public, true);
  });

  test("an id too long for a database is refused or unknown, and fails nothing", async () => {
    const long = (folder: string) =>
      `${eve.newId(folder)}/${Array.from({ length: 1_900 }, (_, at) =>
        String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
      ).join("")}`;
    const note = eve.note({ id: long("notes") });
    await create(eve, note);
    const written = eve.note({ url: long("pages") });
    await create(eve, written);
    assert.equal(await postOf(note), undefined);
    assert.ok(await postOf(written));
    for (const type of ["Like", "Follow", "Announce", "Delete", "Undo"]) {
      const activity = eve.activity(type, { object: long("objects") });
      await eve.deliver(kith(), activity);
      const { id: ___, ...rest } = activity;
      const { status } = await eve.send(kith(), { ...rest, id: long("acts") });
      assert.notEqual(status, 500, type);
    }
    await kith().settle();
    const dead = await kith()
      .db.read.selectFrom("jobs")
      .select("last_error")
      .where("kind", "=", "handle-inbound")
      .where("state", "<>", "ready")
      .execute();
    assert.deepEqual(dead, []);
  });

  test("messages for people who do not exist ask for a limited number of them, and not for ever", async () => {
    const { length } = other.asked;
    const asked = () => other.asked.slice(length).map(({ path }) => path);
    for (let time = 0; time < 2; time += 1) {
      const uris = Array.from({ length: 40 }, () => other.newId("nobody"));
      const to = [actorOf(kith(), ann.username), ...uris];
      const tag = uris.map((href) => ({ type: "Mention", href, name: "@no" }));
      await create(eve, eve.note({ to, cc: [], tag: [mention(), ...tag] }));
    }
    assert.equal(asked().length, 50);
    for (let time = 0; time < 6; time += 1) {
      kith().clock.advance(3_600_000);
      await kith().settle();
    }
    assert.equal(new Set(asked()).size, 80);
    // Those of the first window are asked again with the rest.
    assert.equal(asked().length, 90);
  });

  test("a post for followers is not kept before the Follow is accepted", async () => {
    const shy = await followed();
    const note = shy.note({ to: [`${shy.id}/followers`] });
    await create(shy, note);
    assert.equal(await postOf(note), undefined);
  });

  test("a mention of somebody here leads to their page", async () => {
    const bob = await kith().person();
    const { host } = new URL(kith().baseUrl);
    const text = `hello @{bob; ${bob.username}@${host}}`;
    await ann.post<PostRecord>("/posts", { post: text });
    await kith().settle();
    const outbox = await read(`${actorOf(kith(), ann.username)}/outbox?page=1`);
    assert.match(
      JSON.stringify(outbox),
      new RegExp(`href=.{1,2}${kith().baseUrl}/u/${bob.username}`),
    );
  });
});
