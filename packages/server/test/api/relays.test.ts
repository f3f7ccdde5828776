import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  addLdSignature,
  loadJsonLd,
  importPublicKey,
  PUBLIC,
  verifyLdSignature,
  type JsonObject,
} from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  submitAndApply,
  objectOf,
} from "../support/remote/linked-data.ts";
import { idOf } from "../support/remote/proving-actor.ts";
import { instanceOf, publish, TestRelay } from "../support/remote/relay.ts";
import { upload } from "../support/scenes/pictures.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

const FOR_ALL = { to: [PUBLIC], cc: [] };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let home: RemoteServer;
  let relay: TestRelay;
  let ann: TestPerson;
  let bob: RemoteActor;
  let names = 0;
  before(async () => {
    home = await RemoteServer.start();
    ann = await kith().person();
  });
  after(() => home.close());
  // Each test has a relay of its own, and leaves it.
  beforeEach(async () => {
    relay = await TestRelay.start();
    names += 1;
    bob = home.actor(`bob${names}`);
  });
  afterEach(async () => {
    for (const { url } of await relays().list())
      await relays().remove(null, url);
    await kith().settle();
    await relay.server.close();
  });

  const relays = () => kith().server.features.relays;
  const states = async () =>
    (await relays().list()).map(({ url, state }) => [url, state]);

  const findPost = (note: JsonObject) =>
    kith().server.features.posts.find({ uri: idOf(note) });

  async function reshares(): Promise<number> {
    const rows = await kith()
      .db.read.selectFrom("posts")
      .select("id")
      .where("type", "=", "Reshare")
      .execute();
    return rows.length;
  }

  /** Nothing visible to people has changed. */
  async function unchanged(what: () => Promise<unknown>): Promise<void> {
    const shown = async () => {
      const { posts, comments, likes, text_versions } = await kith().snapshot();
      return { posts, comments, likes, text_versions };
    };
    const before = await shown();
    await what();
    await kith().settle();
    assert.deepEqual(await shown(), before);
  }

  test("an inbox is asked for all that is public, by the server itself", async () => {
    await relays().add(null, relay.inbox);
    assert.equal(await relays().add(null, relay.inbox), false);
    await kith().settle();
    const [follow, ...more] = relay.got("Follow");
    assert.deepEqual(more, []);
    assert.equal(follow?.activity["actor"], instanceOf(kith()));
    assert.equal(follow?.activity["object"], PUBLIC);
    assert.match(
      String(follow?.headers["signature"]),
      /keyId="[^"]*\/api\/v1\/ap\/instance#main-key"/,
    );
    assert.deepEqual(await states(), [[relay.inbox, "pending"]]);
    // Only the relay can answer for itself.
    await bob.deliver(
      kith(),
      bob.activity("Accept", { object: follow?.activity ?? "" }),
    );
    assert.deepEqual(await states(), [[relay.inbox, "pending"]]);
    await relay.answer(kith(), "Accept");
    assert.deepEqual(await states(), [[relay.inbox, "accepted"]]);
    await relay.answer(kith(), "Reject");
    assert.deepEqual(await states(), [[relay.inbox, "rejected"]]);
    await relays().remove(null, relay.inbox);
    await kith().settle();
    const [undo] = relay.got("Undo");
    assert.deepEqual(
      (undo?.activity["object"] as JsonObject)["id"],
      follow?.activity["id"],
    );
    assert.deepEqual(await states(), []);
  });

  test("an actor is followed, and follows back", async () => {
    const back = relay.actor.activity("Follow", { object: instanceOf(kith()) });
    await relay.actor.deliver(kith(), back);
    assert.deepEqual(relay.got("Accept"), [], "Nobody asked it");
    await relays().add(null, relay.actor.id);
    await kith().settle();
    const [follow] = relay.got("Follow");
    assert.equal(follow?.activity["object"], relay.actor.id);
    const again = relay.actor.activity("Follow", {
      object: instanceOf(kith()),
    });
    await relay.actor.deliver(kith(), again);
    const [accept] = relay.got("Accept");
    assert.equal(accept?.activity["actor"], instanceOf(kith()));
    assert.equal((accept?.activity["object"] as JsonObject)["id"], again["id"]);
    await relay.answer(kith(), "Accept");
    assert.deepEqual(await states(), [[relay.actor.id, "accepted"]]);
  });

  test("an inbox gets public content, signed so that others can verify it", async () => {
    await relay.serve(kith(), "inbox");
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "for all" });
    await kith().settle();
    const [create] = relay.got("Create");
    assert.ok(
      create,
      "Nobody elsewhere follows her, and it comes all the same",
    );
    const { publicKeyPem } = await keyOf(ann.username);
    await verifyLdSignature(
      create.activity,
      importPublicKey(publicKeyPem),
      await loadJsonLd(),
    );
    assert.match(String(create.headers["signature"]), /actor#main-key"/);
    await ann.delete(`/posts/${Guid}`);
    await kith().settle();
    const [gone] = relay.got("Delete");
    assert.ok(gone);
    await verifyLdSignature(
      gone.activity,
      importPublicKey(publicKeyPem),
      await loadJsonLd(),
    );
  });

  test("an inbox gets the removal of an image from a public post, and of no other", async () => {
    await relay.serve(kith(), "inbox");
    const aspect = await ann.post<{ ID: number }>("/aspects", {
      aspect_name: "few",
    });
    for (const audience of [{}, { aspectID: String(aspect.ID) }]) {
      const photo = await upload(ann, undefined, audience);
      const post = { post: "look", photoID: String(photo.ID), ...audience };
      await ann.post("/posts", post);
      await kith().settle();
      await ann.delete(`/photos/${photo.ID}`);
      await kith().settle();
    }
    const [update, ...more] = relay.got("Update");
    assert.deepEqual(more, []);
    const object = update?.activity["object"] as JsonObject;
    assert.deepEqual(object["attachment"], []);
  });

  async function keyOf(username: string): Promise<{ publicKeyPem: string }> {
    const response = await fetch(actorOf(kith(), username), {
      headers: { accept: "application/activity+json" },
    });
    const { publicKey } = (await response.json()) as {
      publicKey: { publicKeyPem: string };
    };
    return publicKey;
  }

  test("an actor gets the addresses of new objects from the server's actor", async () => {
    await relay.serve(kith(), "actor");
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "for all" });
    await kith().settle();
    const [announce] = relay.got("Announce");
    assert.equal(announce?.activity["actor"], instanceOf(kith()));
    assert.equal(announce?.activity["object"], objectOf(kith(), Guid));
    assert.deepEqual(relay.got("Create"), []);
  });

  test("nothing else ever goes to a relay", async (context) => {
    const other = await TestRelay.start();
    context.after(() => other.server.close());
    await relay.serve(kith(), "inbox");
    await other.serve(kith(), "actor");
    const count = () =>
      relay.server.delivered.length + other.server.delivered.length;
    const before = count();
    await submitAndApply(kith(), ann, { type: "Follow", object: bob.id });
    const { ID } = await ann.post<{ ID: number }>("/aspects", { name: "few" });
    await ann.post("/posts", { post: "for few", aspectID: ID });
    for (const note of [
      { to: [`${actorOf(kith(), ann.username)}/followers`] },
      { to: [bob.id] },
    ])
      await submitAndApply(kith(), ann, {
        type: "Note",
        content: "not for all",
        ...note,
      });
    await ann.put("/profile", { Bio: "new" });
    await kith().settle();
    assert.ok(home.ofType("Create").length > 0, "Bob was written to");
    assert.equal(count(), before);
  });

  test("a relayed object is fetched, and is its author's", async () => {
    for (const kind of ["inbox", "actor"] as const) {
      await relay.serve(kith(), kind);
      const note = bob.note({ content: `<p>by bob, ${kind}</p>` });
      const before = await reshares();
      await relay.actor.deliver(kith(), relay.announce(publish(home, note)));
      const post = await findPost(note);
      const author = await kith().server.features.people.find({
        handle: bob.handle,
      });
      assert.equal(post?.personId, author?.id);
      assert.equal(post?.type, "post");
      assert.equal(await reshares(), before);
      await unchanged(() =>
        relay.actor.deliver(kith(), relay.announce(idOf(note))),
      );
      await relays().remove(
        null,
        kind === "inbox" ? relay.inbox : relay.actor.id,
      );
      await kith().settle();
    }
  });

  test("an activity inside of an Announce, and one that is passed on, count as their origin says", async () => {
    await relay.serve(kith(), "inbox");
    const forged = (note: JsonObject) => ({
      ...note,
      content: "<p>forged</p>",
    });
    const wrapped = bob.note({ content: "<p>wrapped</p>" });
    publish(home, wrapped);
    const inside = bob.activity("Create", {
      ...FOR_ALL,
      object: forged(wrapped),
    });
    await relay.actor.deliver(kith(), relay.announce(inside));
    assert.equal((await findPost(wrapped))?.text, "wrapped");
    const named = bob.note({ content: "<p>named</p>" });
    publish(home, named);
    const create = bob.activity("Create", { ...FOR_ALL, object: named });
    await relay.actor.deliver(kith(), relay.announce(publish(home, create)));
    assert.equal((await findPost(named))?.text, "named");
    const passed = bob.note({ content: "<p>passed on</p>" });
    publish(home, passed);
    const signed = await addLdSignature(
      bob.activity("Create", { ...FOR_ALL, object: forged(passed) }),
      {
        keyId: bob.keyId,
        privateKey: bob.privateKey,
        now: kith().clock.now(),
      },
      await loadJsonLd(),
    );
    await relay.actor.deliver(kith(), signed);
    assert.equal((await findPost(passed))?.text, "passed on");
    // Its end is believed where it is gone.
    const remove = () =>
      bob.activity("Delete", { ...FOR_ALL, object: idOf(passed) });
    await relay.actor.deliver(kith(), remove());
    assert.ok(await findPost(passed), "It is still there");
    home.documents.delete(idOf(passed));
    await relay.actor.deliver(kith(), remove());
    assert.equal(await findPost(passed), undefined);
  });

  test("of hostile relays nothing comes", async (context) => {
    await relay.serve(kith(), "inbox");
    const away = await RemoteServer.start();
    context.after(() => away.close());
    const eve = away.actor("eve");
    const announce = (object: JsonObject | string) => () =>
      relay.actor.deliver(kith(), relay.announce(object));
    const limited = bob.note({
      to: [actorOf(kith(), ann.username)],
      content: "<p>secret</p>",
    });
    const foreign = eve.note({ attributedTo: bob.id });
    const lying = bob.note();
    const copy = `${away.origin}/copies/1`;
    away.documents.set(copy, lying);
    const lost = bob.note({ inReplyTo: `${home.origin}/notes/unknown` });
    const act = bob.activity("Create", { ...FOR_ALL, object: limited });
    const cases: Readonly<Record<string, () => Promise<unknown>>> = {
      "something limited": announce(publish(home, limited)),
      "something limited, in a public activity": announce(act),
      "something limited, passed on": () => relay.actor.deliver(kith(), act),
      "in the name of somebody of another server": announce(
        publish(away, foreign),
      ),
      "a copy on another server": announce(copy),
      "what nobody has": announce(`${home.origin}/notes/nothing`),
      "an answer to what is not here": announce(publish(home, lost)),
      "an actor": announce(bob.id),
      "something of ours": announce(
        objectOf(
          kith(),
          (await ann.post<PostRecord>("/posts", { post: "ours" })).Guid,
        ),
      ),
      "a like of somebody else's": announce(
        bob.activity("Like", { object: `${home.origin}/notes/1` }),
      ),
      "an embedded object that is nowhere": announce(bob.note()),
    };
    for (const [name, run] of Object.entries(cases)) {
      await kith().settle();
      await unchanged(run).catch((error: unknown) => {
        throw new Error(name, { cause: error });
      });
    }
  });

  test("a relay without a subscription, pending or ended, has no effect", async () => {
    const note = () => publish(home, bob.note());
    const announceBoth = async () => {
      const ours = await ann.post<PostRecord>("/posts", { post: "ours" });
      await kith().settle();
      const asked = home.asked.length;
      await unchanged(async () => {
        await relay.actor.deliver(kith(), relay.announce(note()));
        const mine = objectOf(kith(), ours.Guid);
        await relay.actor.deliver(kith(), relay.announce(mine));
      });
      assert.equal(home.asked.length, asked, "Nothing was fetched");
    };
    await announceBoth();
    await relays().add(null, relay.inbox);
    await kith().settle();
    await announceBoth();
    await relay.answer(kith(), "Reject");
    await announceBoth();
    await relay.answer(kith(), "Accept");
    await relays().remove(null, relay.inbox);
    await kith().settle();
    await announceBoth();
  });

  test("however much a relay brings, so much is fetched", async () => {
    await relay.serve(kith(), "inbox");
    const asked = () =>
      home.asked.filter(({ path }) => path.startsWith("/flood/")).length;
    for (let batch = 0; batch < 7; batch += 1) {
      const sending = Array.from({ length: 100 }, (_, number) =>
        relay.actor.send(
          kith(),
          relay.announce(`${home.origin}/flood/${batch}-${number}`),
        ),
      );
      for (const { status } of await Promise.all(sending))
        assert.equal(status, 202);
    }
    await kith().settle();
    assert.equal(asked(), 600);
    kith().clock.advance(601_000);
    const note = bob.note();
    await relay.actor.deliver(kith(), relay.announce(publish(home, note)));
    assert.ok(await findPost(note), "Later it may again");
  });
});
