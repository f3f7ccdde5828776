import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CONTENT_TYPE, PUBLIC, type JsonObject } from "@kith/activitypub";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  activityOf,
  actorOf,
  ask,
  submitAndApply,
  objectOf,
  read,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type {
  NotificationRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`remote${++names}`);
  const actor = (person: TestPerson) => actorOf(kith(), person.username);
  /** A remote person followed by the local one. */
  const followed = async (by: TestPerson): Promise<RemoteActor> => {
    const other = stranger();
    await sendFollow(kith(), by, other);
    return other;
  };
  const recordOf = (by: TestPerson, { handle }: RemoteActor) =>
    by.post<PersonRecord>("/search", { handle });
  const contactOf = async (person: TestPerson, other: RemoteActor) => {
    const { features } = kith().server;
    const here = await features.people.find({ guid: person.record.Guid });
    const there = await features.people.find({ uri: other.id });
    assert.ok(here?.userId && there);
    return features.contacts.find(here.userId, there.id);
  };
  const followers = async (person: TestPerson) =>
    (await read(`${actor(person)}/followers`))["totalItems"];

  test("an inbox accepts and refuses the documented requests", async () => {
    const [ann, eve] = [await kith().person(), stranger()];
    const like = () => eve.activity("Like", { object: "https://x.example/1" });
    const inboxes = [
      "/api/v1/ap/inbox",
      "/api/v0/ap/inbox",
      `/api/v1/ap/person/${ann.username}/inbox`,
      `/api/v0/ap/user/${ann.username}/inbox`,
    ];
    for (const to of inboxes) {
      const taken = await eve.send(kith(), like(), { to });
      assert.equal(`${taken.status} ${taken.text}`, "202 ");
      const type = "application/activity+json; charset=utf-8";
      assert.equal((await eve.send(kith(), like(), { to, type })).status, 202);
      const unknown = eve.activity("Nonsense", { object: "x" });
      assert.equal((await eve.send(kith(), unknown, { to })).status, 202);
      const json = await eve.send(kith(), like(), {
        to,
        type: "application/json",
      });
      assertError(json, 415, "Unsupported media type", to);
      for (const broken of [{}, { type: "Like" }, { ...like(), actor: "x" }])
        assertError(
          await eve.send(kith(), broken, { to }),
          400,
          "Bad request",
          to,
        );
      const foreign = { ...like(), id: "https://x.example/2" };
      assertError(
        await eve.send(kith(), foreign, { to }),
        400,
        "Bad request",
        to,
      );
      const ours = { ...like(), actor: actor(ann) };
      assertError(
        await eve.send(kith(), ours, { to }),
        401,
        "Unauthorized",
        to,
      );
      // It contains no proof of the other author.
      const anothers = { ...like(), actor: `${eve.id}2` };
      assert.equal((await eve.send(kith(), anothers, { to })).status, 401);
      const unsigned = await ask(kith().baseUrl + to, null, {
        method: "POST",
        headers: { "content-type": CONTENT_TYPE },
        body: JSON.stringify(like()),
      });
      assertError(unsigned, 401, "Unauthorized", to);
    }
    for (const to of ["v1/ap/person", "v0/ap/user"]) {
      const nobody = { to: `/api/${to}/nobody/inbox` };
      assertError(await eve.send(kith(), like(), nobody), 404, "Not found", to);
    }
    await kith().settle();
  });

  test("a body that was changed on the way, or signed with another's key, is refused", async () => {
    const [eve, mallory] = [stranger(), stranger()];
    const like = eve.activity("Like", { object: "https://x.example/1" });
    const altered = { ...like, object: "https://x.example/2" };
    const unchanged = await kith().snapshot();
    const changed = await eve.send(kith(), like, { altered });
    assertError(changed, 401, "Unauthorized", "changed");
    assert.deepEqual(await kith().snapshot(), unchanged);
    const forged = await eve.send(kith(), like, { signedBy: mallory });
    assertError(forged, 401, "Unauthorized", "signed by another");
    assert.equal((await eve.send(kith(), like)).status, 202);
  });

  test("a public Note is everyone's, once, however often it comes", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const object = eve.note({ content: "<p>Hi <b>all</b></p>" });
    const create = eve.activity("Create", { object, to: [PUBLIC] });
    await eve.deliver(kith(), create);
    const unchanged = await kith().snapshot();
    await eve.deliver(kith(), create);
    await eve.deliver(kith(), create, { to: "/api/v0/ap/inbox" });
    assert.deepEqual(await kith().snapshot(), unchanged);
    await eve.deliver(kith(), create, {
      to: `/api/v1/ap/person/${ann.username}/inbox`,
    });
    await eve.deliver(kith(), { ...create, id: eve.newId("activities") });
    const found = (await ann.get<PostRecord[]>("/posts")).filter(
      ({ Text }) => Text === "Hi **all**",
    );
    assert.equal(found.length, 1);
    assert.equal(found[0]?.Public, true);
    assert.equal(found[0]?.CreatedAt, "2026-01-02T03:04:05.000Z");
    const { ID } = await recordOf(ann, eve);
    assert.equal(found[0]?.PersonID, ID);
  });

  test("a Note for some is given to those of them who live here; others are skipped", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const eve = stranger();
    const to = [
      actor(ann),
      `${kith().baseUrl}/api/v0/ap/user/${bob.username}/actor`,
      actorOf(kith(), "nobody"),
      "https://elsewhere.example/users/x",
      `${kith().baseUrl}/posts/1`,
    ];
    const object = eve.note({ to, content: "<p>for some</p>" });
    await eve.deliver(kith(), eve.activity("Create", { object, to }));
    for (const reader of [ann, bob]) {
      const [post] = await reader.get<PostRecord[]>("/posts", {
        visibility: 2,
      });
      assert.equal(post?.Text, "for some");
      assert.equal(post?.Public, false);
    }
    assert.deepEqual(await cat.get("/posts", { visibility: 2 }), []);
  });

  test("a Note without addressees belongs to the owner of each inbox that receives it", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const eve = stranger();
    const object = eve.note({ to: [], content: "<p>whispered</p>" });
    const create = eve.activity("Create", { object, to: [] });
    for (const reader of [ann, bob])
      await eve.deliver(kith(), create, {
        to: `/api/v1/ap/person/${reader.username}/inbox`,
      });
    for (const reader of [ann, bob])
      assert.equal(
        (await reader.get<PostRecord[]>("/posts", { visibility: 2 })).length,
        1,
      );
    assert.deepEqual(await cat.get("/posts", { visibility: 2 }), []);
  });

  test("a Follow is accepted by its id, and undone as an object or by its id", async () => {
    const ann = await kith().person();
    const eve = stranger();
    for (const undone of ["embedded", "id"] as const) {
      const follow = eve.activity("Follow", { object: actor(ann) });
      kith().clock.stopAt(new Date(kith().clock.now()));
      await eve.deliver(kith(), follow);
      await eve.deliver(kith(), follow);
      kith().clock.goOn();
      assert.equal(await followers(ann), 1);
      const accepts = remote
        .ofType("Accept")
        .filter(
          ({ activity }) =>
            (activity["object"] as JsonObject)["id"] === follow["id"],
        );
      assert.equal(accepts.length, 1, "a repeat has no second effect");
      const { "@context": _, ...bare } = follow;
      assert.deepEqual(accepts[0]?.activity["object"], bare);
      assert.equal(accepts[0]?.path, `/users/${eve.name}/inbox`);
      assert.equal(accepts[0]?.activity["actor"], actor(ann));
      const object = undone === "embedded" ? bare : (follow["id"] as string);
      await eve.deliver(kith(), eve.activity("Undo", { object }));
      assert.equal(await followers(ann), 0, undone);
    }
    const notifications = await ann.get<NotificationRecord[]>("/notifications");
    assert.ok(
      notifications.every(({ ShareableType }) => ShareableType === "Contact"),
    );
    assert.ok(notifications.length > 0);
  });

  test("no one undoes another's Follow", async () => {
    const ann = await kith().person();
    const [eve, mallory] = [stranger(), stranger()];
    const follow = eve.activity("Follow", { object: actor(ann) });
    await eve.deliver(kith(), follow);
    for (const object of [follow, follow["id"] as string])
      await mallory.deliver(kith(), mallory.activity("Undo", { object }));
    assert.equal(await followers(ann), 1);
  });

  test("Accept and Reject of our Follow, by the one who is followed alone", async () => {
    const ann = await kith().person();
    const [eve, mallory] = [await followed(ann), stranger()];
    const [sent] = remote
      .ofType("Follow")
      .filter(({ activity }) => activity["object"] === eve.id);
    assert.ok(sent);
    const object = sent.activity;
    assert.equal((await contactOf(ann, eve))?.isConfirmed, false);
    await mallory.deliver(kith(), mallory.activity("Accept", { object }));
    assert.equal((await contactOf(ann, eve))?.isConfirmed, false);
    await eve.deliver(kith(), eve.activity("Accept", { object }));
    assert.equal((await contactOf(ann, eve))?.isConfirmed, true);
    const id = object["id"] as string;
    const to = `/api/v1/ap/person/${ann.username}/inbox`;
    await eve.deliver(kith(), eve.activity("Reject", { object: id }), { to });
    assert.equal((await contactOf(ann, eve))?.isConfirmed, false);
    await eve.deliver(kith(), eve.activity("Accept", { object: id }), { to });
    assert.equal((await contactOf(ann, eve))?.isConfirmed, true);
  });

  test("a Like is counted once and undone, and so is an Announce", async () => {
    const ann = await kith().person();
    const eve = stranger();
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    const shown = () => ann.get<PostRecord>(`/posts/${post.ID}`);
    const object = objectOf(kith(), post.Guid);
    const like = eve.activity("Like", { object });
    await eve.deliver(kith(), like);
    await eve.deliver(kith(), like, {
      to: `/api/v1/ap/person/${ann.username}/inbox`,
    });
    assert.equal((await shown()).LikesCount, 1);
    const announce = eve.activity("Announce", {
      object: activityOf(kith(), post.Guid),
      to: [PUBLIC],
    });
    await eve.deliver(kith(), announce);
    assert.equal((await shown()).ResharesCount, 1);
    const kinds = (await ann.get<NotificationRecord[]>("/notifications")).map(
      ({ ShareableType }) => ShareableType,
    );
    assert.equal(kinds.filter((it) => it === "Like").length, 1);
    const mallory = stranger();
    for (const undone of [like, announce])
      await mallory.deliver(
        kith(),
        mallory.activity("Undo", { object: undone }),
      );
    assert.equal((await shown()).LikesCount, 1);
    for (const undone of [like, announce])
      await eve.deliver(kith(), eve.activity("Undo", { object: undone }));
    assert.equal((await shown()).LikesCount, 0);
    assert.equal((await shown()).ResharesCount, 0);
    await eve.deliver(kith(), eve.activity("Dislike", { object }));
    assert.equal((await shown()).DislikesCount, 1);
  });

  test("an announced post is fetched and stored if someone here follows its announcer, not because the announcer follows someone", async () => {
    const ann = await kith().person();
    const [eve, author] = [stranger(), remote.actor("shared-author")];
    await eve.deliver(kith(), eve.activity("Follow", { object: actor(ann) }));
    const share = async () => {
      const note = author.note({ content: "shared", to: [PUBLIC] });
      const { id } = note;
      assert.ok(typeof id === "string");
      remote.documents.set(id, note);
      remote.asked.length = 0;
      await eve.deliver(
        kith(),
        eve.activity("Announce", { object: id, to: [PUBLIC] }),
      );
      const isAsked = remote.asked.some(({ path }) => id.endsWith(path));
      const { posts } = kith().server.features;
      return [isAsked, (await posts.find({ uri: id })) !== undefined];
    };
    assert.deepEqual(await share(), [false, false]);
    await sendFollow(kith(), ann, eve);
    assert.deepEqual(await share(), [true, true]);
  });

  test("a comment and a like on a limited post, by a reader alone", async () => {
    const ann = await kith().person();
    const [dan, eve] = [stranger(), stranger()];
    await recordOf(ann, dan);
    const id = await submitAndApply(kith(), ann, {
      type: "Note",
      content: "limited",
      to: [dan.id],
    });
    const guid = id.slice(id.lastIndexOf("/") + 1);
    const inReplyTo = objectOf(kith(), guid);
    for (const by of [dan, eve]) {
      const object = by.note({ inReplyTo, to: [actor(ann)] });
      await by.deliver(kith(), by.activity("Create", { object }));
      await by.deliver(kith(), by.activity("Like", { object: inReplyTo }));
    }
    const post = await ann.get<PostRecord>(`/posts/${guid}`);
    assert.equal(post.CommentsCount, 1);
    assert.equal(post.LikesCount, 1);
    assert.equal(post.Comments[0]?.PersonID, (await recordOf(ann, dan)).ID);
  });

  test("a Delete is honoured, its author's alone", async () => {
    const ann = await kith().person();
    const [eve, mallory] = [await followed(ann), stranger()];
    const object = eve.note({ content: "<p>to go</p>" });
    await eve.deliver(kith(), eve.activity("Create", { object }));
    const here = async () =>
      (await ann.get<PostRecord[]>("/posts", { limit: 100 })).filter(
        ({ Text }) => Text === "to go",
      ).length;
    const id = object["id"] as string;
    await mallory.deliver(kith(), mallory.activity("Delete", { object: id }));
    assert.equal(await here(), 1);
    const tombstone = { id, type: "Tombstone" };
    await eve.deliver(kith(), eve.activity("Delete", { object: tombstone }));
    assert.equal(await here(), 0);
    await eve.deliver(kith(), eve.activity("Create", { object }));
    assert.equal(await here(), 0, "a late copy does not bring it back");
    const early = eve.note({ content: "<p>to go</p>" });
    await eve.deliver(
      kith(),
      eve.activity("Delete", { object: early["id"] ?? "" }),
    );
    await eve.deliver(kith(), eve.activity("Create", { object: early }));
    assert.equal(await here(), 0, "nor one that was overtaken");
  });

  test("an Update of an actor refreshes its profile", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    eve.profile = { name: "Eve New", summary: "<p>now <b>bold</b></p>" };
    const object = { ...eve.document(), name: "Forged in the copy" };
    await eve.deliver(kith(), eve.activity("Update", { object }));
    const { Profile } = await recordOf(ann, eve);
    assert.equal(Profile.FullName, "Eve New", "its own document is read");
    assert.equal(Profile.Bio, "now **bold**");
  });

  test("an Update of a Note takes the place of its text, forwards in time, its author's alone", async () => {
    const ann = await kith().person();
    const [eve, mallory] = [await followed(ann), stranger()];
    const root = eve.note({ content: "<p>one</p>" });
    const own = await ann.post<PostRecord>("/posts", { post: "root" });
    const comment = eve.note({
      content: "<p>one</p>",
      inReplyTo: objectOf(kith(), own.Guid),
    });
    for (const object of [root, comment])
      await eve.deliver(kith(), eve.activity("Create", { object }));
    const stream = await ann.get<PostRecord[]>("/posts", { limit: 100 });
    const known = stream.find(({ Text }) => Text === "one");
    assert.ok(known);
    const now = async () => {
      const { Text, UpdatedAt } = await ann.get<PostRecord>(
        `/posts/${known.ID}`,
      );
      const { Comments } = await ann.get<PostRecord>(`/posts/${own.ID}`);
      return { Text, UpdatedAt, comment: Comments[0]?.Text };
    };
    const edit = async (by: RemoteActor, content: string, updated: string) => {
      for (const note of [root, comment]) {
        const object = { ...note, content, updated, to: [by.id] };
        await by.deliver(kith(), by.activity("Update", { object }));
      }
    };
    await mallory.deliver(
      kith(),
      mallory.activity("Update", {
        object: { ...root, content: "<p>forged</p>" },
      }),
    );
    assert.equal((await now()).Text, "one");
    const second = "2026-02-01T00:00:00.000Z";
    await edit(eve, "<p>two</p>", second);
    assert.deepEqual(await now(), {
      Text: "two",
      UpdatedAt: second,
      comment: "two",
    });
    await edit(eve, "<p>late</p>", "2026-01-15T00:00:00Z");
    assert.deepEqual(await now(), {
      Text: "two",
      UpdatedAt: second,
      comment: "two",
    });
    const third = "2026-03-01T00:00:00.000Z";
    await edit(eve, "<p>three</p>", third);
    assert.deepEqual(await now(), {
      Text: "three",
      UpdatedAt: third,
      comment: "three",
    });
    const { Public } = await ann.get<PostRecord>(`/posts/${known.ID}`);
    assert.equal(Public, true, "whom it is for never changes");
  });

  test("an Update that arrives before its Create is treated as the Create", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    const [published, updated] = [3_600_000, 0].map((ago) =>
      new Date(kith().clock.now().getTime() - ago).toISOString(),
    );
    assert.ok(published !== undefined && updated !== undefined);
    const content = "<p>early</p>";
    const object = eve.note({ content, published, updated });
    await eve.deliver(kith(), eve.activity("Update", { object }));
    const first = { ...object, content: "<p>first</p>" };
    await eve.deliver(kith(), eve.activity("Create", { object: first }));
    const texts = (await ann.get<PostRecord[]>("/posts", { limit: 100 })).map(
      ({ Text }) => Text,
    );
    assert.ok(texts.includes("early"));
    assert.ok(!texts.includes("first"));
    const old = eve.note({ content: "<p>of old</p>", updated });
    await eve.deliver(kith(), eve.activity("Update", { object: old }));
    const { posts } = kith().server.features;
    const uri = old["id"] as string;
    assert.equal(await posts.find({ uri }), undefined, "nobody wanted it then");
  });

  test("nothing here is edited from elsewhere", async () => {
    const ann = await kith().person();
    const eve = stranger();
    const post = await ann.post<PostRecord>("/posts", { post: "mine" });
    const object = eve.note({
      id: objectOf(kith(), post.Guid),
      content: "<p>not</p>",
    });
    await eve.deliver(kith(), eve.activity("Update", { object }));
    const stolen = { ...object, attributedTo: actor(ann) };
    await eve.deliver(kith(), eve.activity("Update", { object: stolen }));
    assert.equal((await ann.get<PostRecord>(`/posts/${post.ID}`)).Text, "mine");
  });

  test("Add, Remove, Block and unknown types are accepted and change nothing", async () => {
    const ann = await kith().person();
    const eve = await followed(ann);
    await eve.deliver(kith(), eve.activity("Follow", { object: actor(ann) }));
    for (const type of ["Add", "Remove", "Listen", "Arrive", "Nonsense"])
      await eve.deliver(
        kith(),
        eve.activity(type, {
          object: actor(ann),
          target: `${eve.id}/featured`,
        }),
      );
    const withoutId = eve.activity("Add", { object: eve.newId("notes") });
    delete withoutId["id"];
    await eve.deliver(kith(), withoutId);
    assert.equal(await followers(ann), 1);
    assert.equal((await contactOf(ann, eve))?.following, true);
    const block = eve.activity("Block", { object: actor(ann) });
    assert.equal((await eve.send(kith(), block)).status, 202);
    await kith().settle();
  });
});
