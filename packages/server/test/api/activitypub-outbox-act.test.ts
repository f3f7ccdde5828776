import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { outboxOf } from "../support/scenes/outbox.ts";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  activityOf,
  actorOf,
  ask,
  submitAndApply,
  objectOf,
  read,
  walk,
} from "../support/remote/linked-data.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  LikeRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const { actor, note, newest, badRequest, notFound, notImplemented } =
    outboxOf(kith);

  test("a Follow makes a contact in an aspect of its own, once", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const family = await ann.post<AspectRecord>("/aspects", { name: "Family" });
    const follow = { type: "Follow", object: actor(bob) };
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => submitAndApply(kith(), ann, follow)),
    );
    assert.equal(new Set(ids).size, 1);
    const aspects = await ann.get<AspectRecord[]>("/aspects");
    assert.deepEqual(
      aspects.map(({ Name, Default, Memberships }) => [
        Name,
        Default,
        Memberships.length,
      ]),
      [
        ["Contacts", true, 1],
        ["Family", false, 0],
      ],
    );
    const shown = await read(ids[0] ?? "", ann);
    assert.equal(shown["type"], "Follow");
    assert.equal(shown["object"], actor(bob));
    assert.equal((await read(`${actor(bob)}/followers`))["totalItems"], 1);
    assertError(await ask(ids[0] ?? ""), 404, "Not found", "a stranger");
    assert.equal((await read(ids[0] ?? "", bob))["id"], ids[0]);
    const cat = await kith().person();
    await ann.post(`/people/${cat.record.ID}/aspects/${family.ID}`);
    await submitAndApply(kith(), ann, {
      type: "Follow",
      object: `${actor(cat)}/actor`,
    });
    const holding = await ann.get<AspectRecord[]>(
      `/people/${cat.record.ID}/aspects`,
    );
    assert.deepEqual(
      holding.map(({ ID }) => ID),
      [family.ID],
      "who is a contact stays where it is",
    );
  });

  test("a Follow of a remote person is sent with the returned id, and so is its Undo", async () => {
    const ann = await kith().person();
    const eve = remote.actor("eve");
    const id = await submitAndApply(kith(), ann, {
      type: "Follow",
      object: eve.id,
    });
    const before = await read(id, ann);
    await kith().settle();
    const [sent] = remote
      .ofType("Follow")
      .filter(({ activity }) => activity["object"] === eve.id);
    assert.equal(sent?.path, "/users/eve/inbox");
    assert.deepEqual(sent.activity, before);
    assert.deepEqual(JSON.parse((await eve.get(kith(), id)).text), before);
    const undoId = await submitAndApply(kith(), ann, {
      type: "Undo",
      object: id,
    });
    await kith().settle();
    const [undo] = remote
      .ofType("Undo")
      .filter(({ activity }) => activity["id"] === undoId);
    assert.equal((undo?.activity["object"] as JsonObject)["id"], id);
    assert.equal((await read(undoId, ann))["type"], "Undo");
    const found = await ann.post<PersonRecord>("/search", {
      handle: eve.handle,
    });
    await ann.notFound("GET", `/people/${found.ID}/aspects`);
    await notFound(ann, { type: "Undo", object: id });
  });

  test("an unknown person cannot be followed", async () => {
    const ann = await kith().person();
    await badRequest(ann, { type: "Follow", object: actor(ann) });
    for (const object of [
      actorOf(kith(), "nobody"),
      `${remote.origin}/users/nobody`,
      `${kith().baseUrl}/api/v1/ap/instance`,
      `${kith().baseUrl}/x`,
    ])
      await notFound(ann, { type: "Follow", object });
    assert.deepEqual(await ann.get("/aspects"), []);
  });

  test("a Like, and its Undo by id or as it was", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await bob.post<PostRecord>("/posts", { post: "root" });
    const object = objectOf(kith(), post.Guid);
    const id = await submitAndApply(kith(), ann, { type: "Like", object });
    assert.equal(
      await submitAndApply(kith(), ann, {
        type: "Like",
        object: { id: object, type: "Note" },
      }),
      id,
    );
    const [made] = await bob.get<LikeRecord[]>(`/posts/${post.ID}/likes`);
    assert.equal(id, activityOf(kith(), made?.Guid ?? ""));
    assert.equal((await read(id, ann))["type"], "Like");
    assert.ok(
      (await walk(`${actor(ann)}/outbox`, ann)).some(
        (item) => (item as JsonObject)["id"] === id,
      ),
    );
    assert.equal(
      (await read(`${actor(ann)}/outbox`))["totalItems"],
      0,
      "likes are between two people",
    );
    const undoId = await submitAndApply(kith(), ann, {
      type: "Undo",
      object: id,
    });
    assert.deepEqual(await bob.get(`/posts/${post.ID}/likes`), []);
    const undo = await read(undoId, ann);
    assert.equal((undo["object"] as JsonObject)["id"], id);
    await notFound(ann, { type: "Undo", object: id });
    await notFound(ann, { type: "Undo", object: { type: "Like", object } });
    await submitAndApply(kith(), ann, { type: "Like", object });
    await notFound(bob, { type: "Undo", object: { type: "Like", object } });
    await submitAndApply(kith(), ann, {
      type: "Undo",
      object: { type: "Like", object },
    });
    assert.deepEqual(await bob.get(`/posts/${post.ID}/likes`), []);
  });

  test("another's like is not undone, and a hidden post is not liked", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const id = await submitAndApply(kith(), bob, note({ to: [actor(ann)] }));
    const { Guid } = await newest(bob);
    const object = objectOf(kith(), Guid);
    for (const type of ["Like", "Announce"]) {
      await notFound(cat, { type, object });
      await notFound(cat, { type, object: id });
      await notFound(cat, { type, object: objectOf(kith(), "0".repeat(32)) });
      await notFound(cat, { type, object: "https://unknown.example/1" });
    }
    const liked = await submitAndApply(kith(), ann, { type: "Like", object });
    await notFound(cat, { type: "Undo", object: liked });
    await notFound(bob, { type: "Undo", object: liked });
    await notImplemented(bob, { type: "Undo", object: id });
    await notImplemented(bob, {
      type: "Undo",
      object: { type: "Create", object },
    });
    await badRequest(bob, { type: "Undo", object: { type: "Like" } });
    await badRequest(ann, { type: "Announce", object });
  });

  test("an Announce, and its Undo", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await bob.post<PostRecord>("/posts", { post: "root" });
    const object = objectOf(kith(), post.Guid);
    await badRequest(ann, { type: "Announce", object, to: [actor(bob)] });
    const id = await submitAndApply(kith(), ann, {
      type: "Announce",
      object,
      to: PUBLIC,
    });
    const announce = await read(id);
    assert.equal(announce["type"], "Announce");
    assert.equal(announce["object"], object);
    await badRequest(ann, { type: "Announce", object });
    assert.equal(
      (await bob.get<PostRecord>(`/posts/${post.ID}`)).ResharesCount,
      1,
    );
    const undoId = await submitAndApply(kith(), ann, {
      type: "Undo",
      object: { type: "Announce", object },
    });
    assert.equal(
      (await bob.get<PostRecord>(`/posts/${post.ID}`)).ResharesCount,
      0,
    );
    assert.equal(((await read(undoId))["object"] as JsonObject)["id"], id);
    assertError(await ask(id), 404, "Not found", "undone");
    const again = await submitAndApply(kith(), ann, {
      type: "Announce",
      object,
    });
    await submitAndApply(kith(), ann, { type: "Undo", object: again });
    assert.equal(
      (await bob.get<PostRecord>(`/posts/${post.ID}`)).ResharesCount,
      0,
    );
    const said = await bob.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment: "c",
    });
    await badRequest(ann, {
      type: "Announce",
      object: objectOf(kith(), said.Guid),
    });
  });

  test("a Delete of an own object", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    const object = objectOf(kith(), post.Guid);
    const said = await bob.post<CommentRecord>(`/posts/${post.ID}/comments`, {
      comment: "c",
    });
    await notFound(bob, { type: "Delete", object });
    await notFound(ann, {
      type: "Delete",
      object: objectOf(kith(), said.Guid),
    });
    await notFound(ann, {
      type: "Delete",
      object: "https://unknown.example/1",
    });
    await notFound(ann, { type: "Delete", object: actor(bob) });
    await notImplemented(ann, { type: "Delete", object: actor(ann) });
    const commentGone = await submitAndApply(kith(), bob, {
      type: "Delete",
      object: objectOf(kith(), said.Guid),
    });
    assert.equal((await read(commentGone))["type"], "Delete");
    assert.deepEqual(await ann.get(`/posts/${post.ID}/comments`), []);
    const gone = await submitAndApply(kith(), ann, {
      type: "Delete",
      object: { id: object, type: "Tombstone" },
    });
    const shown = await read(gone, ann);
    assert.equal((shown["object"] as JsonObject)["id"], object);
    await ann.notFound("GET", `/posts/${post.ID}`);
    await notFound(ann, { type: "Delete", object });
  });

  test("an Update of one's own actor", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const document = await read(actor(ann));
    const id = await submitAndApply(kith(), ann, {
      type: "Update",
      object: {
        ...document,
        name: "Ann Of Green Gables",
        summary: "<p>I <i>am</i></p>",
      },
    });
    const profile = await ann.get<PersonRecord["Profile"]>(
      `/people/${ann.record.ID}/profile`,
    );
    assert.deepEqual(
      [profile.FirstName, profile.LastName, profile.Bio],
      ["Ann", "Of Green Gables", "I *am*"],
    );
    assert.equal((await read(actor(ann)))["name"], "Ann Of Green Gables");
    const update = await read(id);
    assert.equal(
      (update["object"] as JsonObject)["name"],
      "Ann Of Green Gables",
    );
    await submitAndApply(kith(), ann, {
      type: "Update",
      object: { id: actor(ann), name: null },
    });
    const after = await ann.get<PersonRecord["Profile"]>(
      `/people/${ann.record.ID}/profile`,
    );
    assert.deepEqual([after.FullName, after.Bio], ["", "I *am*"]);
    await badRequest(ann, { type: "Update", object: actor(ann) });
    await badRequest(ann, {
      type: "Update",
      object: { id: actor(ann), name: 1 },
    });
    await badRequest(ann, {
      type: "Update",
      object: { id: actor(ann), name: "x".repeat(33) },
    });
    await notFound(ann, {
      type: "Update",
      object: { id: actor(bob), name: "x" },
    });
  });

  test("an Update of one's own post or comment", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    const comment = await ann.post<CommentRecord>(
      `/posts/${post.ID}/comments`,
      { comment: "below" },
    );
    const textOf = async (guid: string) =>
      (await ann.get<PostRecord>(`/posts/${guid}`)).Text;
    const id = objectOf(kith(), post.Guid);
    const change = (members: JsonObject) => ({
      type: "Update",
      object: { id, type: "Note", ...members },
    });
    const shown = await read(id, ann);
    const sent = await submitAndApply(kith(), ann, {
      type: "Update",
      object: { ...shown, content: "<p>HTML <b>counts</b></p>" },
    });
    assert.equal(await textOf(post.Guid), "HTML **counts**");
    assert.match(JSON.stringify(await read(sent, ann)), /HTML .*counts/);
    await submitAndApply(
      kith(),
      ann,
      change({ source: { content: "*M*", mediaType: "text/markdown" } }),
    );
    assert.equal(await textOf(post.Guid), "*M*");
    await badRequest(ann, { type: "Update", object: await read(id, ann) });
    await badRequest(ann, change({}));
    await notImplemented(ann, change({ content: "x", summary: "warning" }));
    await notFound(bob, change({ content: "x" }));
    assert.equal(await textOf(post.Guid), "*M*");

    const below = { id: objectOf(kith(), comment.Guid), content: "changed" };
    await submitAndApply(kith(), ann, { type: "Update", object: below });
    await notFound(bob, { type: "Update", object: below });
    const [edited] = await ann.get<CommentRecord[]>(
      `/posts/${post.ID}/comments`,
    );
    assert.equal(edited?.Text, "changed");
    await notFound(ann, {
      type: "Update",
      object: { id: objectOf(kith(), "0".repeat(32)), content: "x" },
    });
  });

  test("an Update that was sent can be read by its id", async () => {
    const ann = await kith().person();
    const fay = remote.actor("fay");
    await submitAndApply(kith(), ann, { type: "Follow", object: fay.id });
    await ann.put("/profile", { FirstName: "Anna" });
    await kith().settle();
    const [update] = remote
      .ofType("Update")
      .filter(({ path }) => path.includes("fay"));
    assert.ok(update);
    assert.deepEqual(
      await read(update.activity["id"] as string),
      update.activity,
    );
  });
});
