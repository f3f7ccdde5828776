import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import type { KithServer } from "../support/server/kith-server.ts";
import { actorOf } from "../support/remote/linked-data.ts";
import { idOf } from "../support/remote/proving-actor.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import {
  befriend,
  settleAll,
  useServers,
} from "../support/remote/several-servers.ts";
import type { CommentRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const servers = useServers(kind, "activitypub", 3);
  let remote: RemoteServer;
  let third: RemoteServer;
  before(async () => {
    [remote, third] = await Promise.all([
      RemoteServer.start(),
      RemoteServer.start(),
    ]);
  });
  after(() => Promise.all([remote.close(), third.close()]));

  test("Kith to Kith: the third server gets a comment, a like and their deletion, and nothing loops", async () => {
    const [a, b, c] = servers() as [KithServer, KithServer, KithServer];
    const [ann, bob, cid] = [
      await a.person({ handle: "ann" }),
      await b.person({ handle: "bob" }),
      await c.person({ handle: "cid" }),
    ];
    for (const other of [bob, cid]) {
      await befriend(other, ann.handle, "ann");
      await befriend(ann, other.handle, other.username);
    }
    await settleAll(servers());
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "Well?" });
    await settleAll(servers());
    const said = await bob.post<CommentRecord>(`/posts/${Guid}/comments`, {
      text: "Bob says yes",
    });
    await bob.post(`/posts/${Guid}/likes/true`);
    await settleAll(servers());
    const path = `/posts/${Guid}/comments`;
    const [seen] = await cid.get<CommentRecord[]>(path);
    assert.equal(seen?.Text, "Bob says yes");
    const likesOf = async () =>
      (await cid.get<PostRecord>(`/posts/${Guid}`)).LikesCount;
    assert.equal(await likesOf(), 1);
    await bob.delete(`/comments/${said.ID}`);
    await bob.delete(`/posts/${Guid}/likes`);
    await settleAll(servers());
    assert.deepEqual(await cid.get(path), []);
    assert.equal(await likesOf(), 0);
    const forwarded = async ({ db }: KithServer) =>
      (await db.read.selectFrom("forwarded_activities").selectAll().execute())
        .length;
    assert.equal(await forwarded(a), 4);
    assert.deepEqual([await forwarded(b), await forwarded(c)], [0, 0]);
  });

  test("a member of a limited post reads others' replies from their own servers, in the member's name", async () => {
    const [, , c] = servers() as [KithServer, KithServer, KithServer];
    const cid = await c.person({ handle: "dora" });
    const ann = remote.actor("ann");
    const bob = third.actor("bob");
    await befriend(cid, ann.handle, "ann");
    await c.settle();
    const to = [actorOf(c, cid.username)];
    const root = ann.note({ to });
    const replies = remote.newId("replies");
    const post: JsonObject = { ...root, replies };
    await ann.deliver(c, ann.activity("Create", { to, object: post }));
    const stored = await c.server.features.posts.find({
      uri: idOf(root),
    });
    const path = `/posts/${stored?.guid}/comments`;
    const texts = async () =>
      (await cid.get<CommentRecord[]>(path)).map(({ Text }) => Text);
    const yes = bob.note({
      inReplyTo: root["id"] ?? "",
      content: "yes",
      to: [ann.id],
    });
    const deeper = bob.note({
      inReplyTo: yes["id"] ?? "",
      content: "and",
      published: "2026-01-02T04:00:00Z",
      to: [ann.id],
    });
    const hidden = third.newId("notes");
    const elsewhere = bob.note({
      inReplyTo: remote.newId("notes"),
      content: "no",
    });
    for (const note of [yes, deeper, elsewhere])
      third.documents.set(idOf(note), note);
    const list = (items: JsonObject["items"]) =>
      remote.documents.set(replies, {
        "@context": "https://www.w3.org/ns/activitystreams",
        id: replies,
        type: "OrderedCollection",
        orderedItems: items ?? [],
      });
    const ids = [yes, deeper, elsewhere].map(({ id }) => id ?? "");
    list([...ids, hidden]);
    const sendUpdate = () =>
      ann.deliver(c, ann.activity("Update", { to, object: post }));
    await sendUpdate();
    assert.deepEqual(await texts(), ["yes", "and"]);
    const own = `${actorOf(c, cid.username)}/actor#main-key`;
    const askedBy = (uri: unknown) =>
      [...remote.asked, ...third.asked]
        .filter((one) => String(uri).endsWith(one.path))
        .map(({ keyId }) => keyId);
    for (const uri of [replies, yes["id"], deeper["id"]])
      assert.deepEqual(new Set(askedBy(uri)), new Set([own]));
    const now = await c.server.features.posts.find({
      uri: idOf(root),
    });
    assert.equal(now?.updatedAt, stored?.updatedAt, "That is no edit");
    const edited = { ...yes, content: "yes!", updated: "2026-02-01T00:00:00Z" };
    third.documents.set(idOf(yes), edited);
    await sendUpdate();
    assert.deepEqual(await texts(), ["yes!", "and"]);
    third.documents.delete(idOf(deeper));
    await sendUpdate();
    assert.deepEqual(await texts(), ["yes!", "and"], "It is still listed");
    list([yes["id"] ?? ""]);
    await sendUpdate();
    assert.deepEqual(await texts(), ["yes!"]);
  });

  test("of a public post only public answers are taken from its thread", async () => {
    const [, , c] = servers() as [KithServer, KithServer, KithServer];
    const cid = await c.person({ handle: "emil" });
    const ann = remote.actor("ann2");
    const bob = third.actor("bob2");
    await befriend(cid, ann.handle, "ann");
    await c.settle();
    const replies = remote.newId("replies");
    const root = ann.note({ replies });
    const to = [PUBLIC];
    await ann.deliver(c, ann.activity("Create", { to, object: root }));
    const inReplyTo = root["id"] ?? "";
    const open = bob.note({ inReplyTo, content: "open" });
    const secret = bob.note({ inReplyTo, content: "secret", to: [ann.id] });
    for (const note of [open, secret]) third.documents.set(idOf(note), note);
    remote.documents.set(replies, {
      "@context": "https://www.w3.org/ns/activitystreams",
      id: replies,
      type: "Collection",
      items: [secret["id"] ?? "", open["id"] ?? ""],
    });
    await ann.deliver(c, ann.activity("Update", { to, object: root }));
    const stored = await c.server.features.posts.find({
      uri: idOf(root),
    });
    const seen = await cid.get<CommentRecord[]>(
      `/posts/${stored?.guid}/comments`,
    );
    assert.deepEqual(
      seen.map(({ Text }) => Text),
      ["open"],
    );
  });
});
