import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { actorOf } from "../support/remote/linked-data.ts";
import { idOf, proving } from "../support/remote/proving-actor.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { befriend } from "../support/remote/several-servers.ts";
import type { CommentRecord, PostRecord } from "../support/server/wire.ts";

const AS = "https://www.w3.org/ns/activitystreams";

/** A limited post of Ann's elsewhere, which Cid here and Bob, on a third server, got. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let third: RemoteServer;
  let names = 0;
  before(async () => {
    [remote, third] = await Promise.all([
      RemoteServer.start(),
      RemoteServer.start(),
    ]);
  });
  after(() => Promise.all([remote.close(), third.close()]));

  async function setScene() {
    names += 1;
    const cid = await kith().person();
    const ann = remote.actor(`ann${names}`);
    const bob = third.actor(`bob${names}`);
    const mallory = third.actor(`mallory${names}`);
    const [prove, proveMallory] = [proving(bob), proving(mallory)];
    await befriend(cid, ann.handle, "ann");
    await kith().settle();
    const to = [actorOf(kith(), cid.username)];
    const context = remote.newId("contexts");
    const root: JsonObject = { ...ann.note({ to }), context };
    await ann.deliver(kith(), ann.activity("Create", { to, object: root }));
    const stored = await kith().server.features.posts.find({ uri: idOf(root) });
    assert.ok(stored);
    const path = `/posts/${stored.guid}`;
    const update = (by: RemoteActor = ann) =>
      by.deliver(kith(), by.activity("Update", { to, object: root }));
    return {
      ...{ cid, ann, bob, mallory, prove, proveMallory, root, update, path },
      texts: async () => {
        const said = await cid.get<CommentRecord[]>(`${path}/comments`);
        return said.map(({ Text }) => Text);
      },
      counts: async () => {
        const post = await cid.get<PostRecord>(path);
        return [post.LikesCount, post.DislikesCount];
      },
      /** Ann's server lists this and announces it. */
      list: async (items: readonly (JsonObject | string)[]) => {
        remote.documents.set(context, {
          "@context": AS,
          id: context,
          type: "OrderedCollection",
          orderedItems: [...items],
        });
        await update();
      },
      /** A comment of Bob's for Ann, which his server shows to no one else. */
      note: (more: JsonObject = {}) =>
        bob.note({
          inReplyTo: idOf(root),
          content: "Bob says yes",
          to: [ann.id],
          ...more,
        }),
      create: (object: JsonObject, by: RemoteActor = bob) =>
        by.activity("Create", { to: [ann.id], object }),
    };
  }

  test("a reply that a member cannot fetch is accepted with its author's proof, without a fetch", async () => {
    const scene = await setScene();
    const { bob, prove, root } = scene;
    const note = scene.note();
    const deeper = scene.note({
      inReplyTo: idOf(note),
      content: "And more",
      published: "2026-01-02T04:00:00Z",
    });
    const like = prove(bob.activity("Like", { object: idOf(note) }));
    const dislike = prove(bob.activity("Dislike", { object: idOf(root) }));
    const said = [note, deeper].map((one) => prove(scene.create(one)));
    await scene.list([idOf(root), ...said, like, dislike]);
    assert.deepEqual(await scene.texts(), ["Bob says yes", "And more"]);
    assert.deepEqual(await scene.counts(), [0, 1]);
    const asked = third.asked.map(({ path }) => third.origin + path);
    for (const uri of [note, deeper, like, dislike].map(idOf))
      assert.ok(!asked.includes(uri), uri);
    const edited = {
      ...note,
      content: "Bob says no",
      updated: "2026-02-01T00:00:00Z",
    };
    const change = prove(bob.activity("Update", { object: edited }));
    await scene.list([change, said[1] ?? "", like]);
    assert.deepEqual(await scene.texts(), ["Bob says no", "And more"]);
    assert.deepEqual(await scene.counts(), [0, 0]);
  });

  test("replies are read when the announcement brings the post, ahead of its own Create", async () => {
    const { cid, ann, prove, bob } = await setScene();
    const to = [actorOf(kith(), cid.username)];
    const context = remote.newId("contexts");
    const root: JsonObject = {
      ...ann.note({ to, published: new Date().toISOString() }),
      context,
    };
    const object = bob.note({
      inReplyTo: idOf(root),
      content: "Bob was quick",
      to: [ann.id],
    });
    const said = prove(bob.activity("Create", { to: [ann.id], object }));
    remote.documents.set(context, {
      "@context": AS,
      id: context,
      type: "OrderedCollection",
      orderedItems: [said],
    });
    for (const type of ["Update", "Create"])
      await ann.deliver(kith(), ann.activity(type, { to, object: root }));
    const post = await kith().server.features.posts.find({ uri: idOf(root) });
    const comments = await cid.get<CommentRecord[]>(
      `/posts/${post?.guid}/comments`,
    );
    assert.deepEqual(
      comments.map(({ Text }) => Text),
      ["Bob was quick"],
    );
  });

  test("a thread that its server cannot serve at the moment is read later", async () => {
    const scene = await setScene();
    const path = new URL(idOf({ id: scene.root["context"] ?? "" })).pathname;
    const away: ((response: ServerResponse) => unknown)[] = [
      (response) => response.destroy(),
      (response) => response.writeHead(503).end(),
    ];
    for (const [index, fail] of away.entries()) {
      remote.answers.set(path, fail);
      const content = `Bob's word ${index}`;
      const said = scene.prove(scene.create(scene.note({ content })));
      await scene.list([said]);
      assert.ok(!(await scene.texts()).includes(content));
      remote.answers.delete(path);
      await kith().settle();
      assert.ok(!(await scene.texts()).includes(content));
      kith().clock.advance(10_000);
      await kith().settle();
      assert.ok((await scene.texts()).includes(content));
    }
  });

  test("a lively conversation is read to its end: what is known here costs no request", async () => {
    const scene = await setScene();
    const { cid, ann, prove, root, path } = scene;
    const to = [actorOf(kith(), cid.username)];
    const own = ann.note({ inReplyTo: idOf(root), content: "Ann begins", to });
    remote.documents.set(idOf(own), own);
    await ann.deliver(kith(), ann.activity("Create", { to, object: own }));
    // Bob's actor is fetched here.
    await scene.list([idOf(own), prove(scene.create(scene.note()))]);
    const [ofAnn, ofBob] = [remote.asked.length, third.asked.length];
    for (const day of ["first", "second"]) {
      const said = Array.from({ length: 155 }, (_, number) => {
        const minute = String(number % 60).padStart(2, "0");
        const published = `2026-02-01T0${Math.floor(number / 60)}:${minute}:00Z`;
        const content = `Bob's ${day} ${number}`;
        return prove(scene.create(scene.note({ content, published })));
      });
      await scene.list([idOf(own), ...said]);
      const post = await cid.get<PostRecord>(path);
      assert.equal(post.CommentsCount, 156, day);
    }
    assert.equal(remote.asked.length, ofAnn + 2, "one collection each");
    assert.equal(third.asked.length, ofBob);
  });

  test("a collection cannot smuggle anything in", async () => {
    const scene = await setScene();
    const { ann, bob, cid, mallory, prove, proveMallory, root } = scene;
    const other = ann.note({ to: [actorOf(kith(), cid.username)] });
    const { create, note } = scene;
    const altered = (made: JsonObject, members: JsonObject): JsonObject => ({
      ...made,
      object: { ...(made["object"] as JsonObject), ...members },
    });
    const local = actorOf(kith(), cid.username);
    const hostile: Record<string, JsonObject> = {
      "without a proof": create(note()),
      "with another text than the one that was signed": altered(
        prove(create(note())),
        { content: "Bob says no" },
      ),
      "with somebody else's proof": proveMallory(create(note())),
      "somebody else's words": proveMallory(create(note(), mallory)),
      "said by one, attributed to another": prove(
        create(note({ attributedTo: mallory.id })),
      ),
      "of another server than its actor's": prove({
        ...create(note()),
        id: remote.newId("activities"),
      }),
      "with the id of another server's object": prove(
        create(note({ id: remote.newId("notes") })),
      ),
      "about another post": prove(create(note({ inReplyTo: idOf(other) }))),
      "about nothing": prove(create(bob.note({ to: [ann.id] }))),
      "to somebody else alone": prove(create(note({ to: [mallory.id] }))),
      "in the name of somebody here": prove({
        ...create(note({ attributedTo: local })),
        actor: local,
      }),
      "in a context that makes it mean something else": {
        ...prove(create(note())),
        "@context": [AS, { said: "as:content" }],
      },
    };
    for (const [what, item] of Object.entries(hostile)) {
      await scene.list([item]);
      assert.deepEqual(await scene.texts(), [], what);
    }
    const likes: Record<string, JsonObject> = {
      "a like without a proof": bob.activity("Like", { object: idOf(root) }),
      "a like of another post": prove(
        bob.activity("Like", { object: idOf(other) }),
      ),
      "a like turned into a dislike": {
        ...prove(bob.activity("Like", { object: idOf(root) })),
        type: "Dislike",
      },
    };
    for (const [what, item] of Object.entries(likes)) {
      await scene.list([item]);
      assert.deepEqual(await scene.counts(), [0, 0], what);
    }
    // All of these fail for their content: this one is accepted.
    await scene.list([prove(create(note()))]);
    assert.deepEqual(await scene.texts(), ["Bob says yes"]);
  });

  test("a retracted or edited reply is not restored by its old proof", async () => {
    const scene = await setScene();
    const { bob, prove, root } = scene;
    const note = scene.note();
    const create = prove(scene.create(note));
    const like = prove(bob.activity("Like", { object: idOf(root) }));
    await scene.list([create, like]);
    const edited = { ...note, content: "No", updated: "2026-02-01T00:00:00Z" };
    await scene.list([prove(bob.activity("Update", { object: edited })), like]);
    assert.deepEqual(await scene.texts(), ["No"]);
    await scene.list([create, like]);
    assert.deepEqual(await scene.texts(), ["No"], "That is older");
    assert.deepEqual(await scene.counts(), [1, 0]);
    await scene.list([]);
    assert.deepEqual(await scene.texts(), []);
    assert.deepEqual(await scene.counts(), [0, 0]);
    await scene.list([create, like]);
    assert.deepEqual(await scene.texts(), []);
    assert.deepEqual(await scene.counts(), [0, 0]);
  });

  test("where only a part can be read, nothing is taken for taken back", async () => {
    const scene = await setScene();
    const create = scene.prove(scene.create(scene.note()));
    await scene.list([create]);
    const context = idOf({ id: scene.root["context"] ?? "" });
    remote.documents.set(context, {
      "@context": AS,
      id: context,
      type: "OrderedCollection",
      first: `${context}?page=1`,
    });
    await scene.update();
    assert.deepEqual(await scene.texts(), ["Bob says yes"]);
  });

  test("an unrelated server neither adds to the thread nor removes from it", async () => {
    const scene = await setScene();
    const { bob, mallory, prove, proveMallory, root } = scene;
    const create = prove(scene.create(scene.note()));
    await scene.list([create]);
    // Bob's reply, forwarded by another person; her own, with a proof.
    const second = scene.note({ content: "Between Ann and me", to: [PUBLIC] });
    const pushed = { ...scene.create(second), to: [PUBLIC] };
    await mallory.deliver(kith(), prove(pushed));
    const own = mallory.note({ inReplyTo: idOf(root), content: "Me, too" });
    await mallory.deliver(
      kith(),
      proveMallory(mallory.activity("Create", { to: [PUBLIC], object: own })),
    );
    const like = mallory.activity("Like", { object: idOf(root) });
    await mallory.deliver(kith(), proveMallory(like));
    assert.deepEqual(await scene.texts(), ["Bob says yes"]);
    assert.deepEqual(await scene.counts(), [0, 0]);
    // She cannot cause a read of the thread either, nor delete others' replies.
    const context = idOf({ id: root["context"] ?? "" });
    const reads = () =>
      remote.asked.filter(({ path }) => context.endsWith(path)).length;
    const before = reads();
    await scene.update(mallory);
    assert.equal(reads(), before);
    const { id } = create["object"] as JsonObject;
    const remove = mallory.activity("Delete", { object: id ?? "" });
    await mallory.deliver(kith(), proveMallory(remove));
    assert.deepEqual(await scene.texts(), ["Bob says yes"]);
    const byAnn = scene.ann.activity("Delete", { object: id ?? "" });
    await scene.ann.deliver(kith(), byAnn);
    assert.deepEqual(await scene.texts(), [], "Whose post it is may");
    await bob.deliver(kith(), prove(scene.create(scene.note())));
    assert.deepEqual(await scene.texts(), [], "Nor does he push himself");
  });

  test("people mentioned in a reply to a limited post are not notified", async () => {
    const scene = await setScene();
    const { cid, bob, root } = scene;
    await cid.post("/search", { handle: bob.handle });
    third.delivered.length = 0;
    remote.delivered.length = 0;
    const stored = await kith().server.features.posts.find({ uri: idOf(root) });
    await cid.post(`/posts/${stored?.guid}/comments`, {
      text: `Does @{${bob.handle}} know?`,
    });
    await kith().settle();
    assert.deepEqual(third.delivered, []);
    const [create] = remote.ofType("Create");
    assert.ok(create?.activity["proof"], "Ann's server can hand it on");
    assert.equal("signature" in create.activity, false);
    assert.ok(!create.body.includes(PUBLIC));
  });
});
