import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import {
  addLdSignature,
  loadJsonLd,
  PUBLIC,
  type JsonObject,
} from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { actorOf, sendFollow } from "../support/remote/linked-data.ts";
import { idOf, proverWith, proving } from "../support/remote/proving-actor.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { CommentRecord, PostRecord } from "../support/server/wire.ts";

const FOR_ALL = { to: [PUBLIC], cc: [] };

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_RATE_LIMITS: "1" } });
  let home: RemoteServer;
  let away: RemoteServer;
  let names = 0;
  before(async () => {
    [home, away] = await Promise.all([
      RemoteServer.start(),
      RemoteServer.start(),
    ]);
  });
  after(() => Promise.all([home.close(), away.close()]));

  /** Cid here follows Ann, a remote person with a post; Bob is on a third server. */
  async function thread() {
    names += 1;
    const cid = await kith().person();
    const ann = home.actor(`ann${names}`);
    const bob = away.actor(`bob${names}`);
    const prove = proving(bob);
    await sendFollow(kith(), cid, ann);
    const root = ann.note();
    const object = root;
    await ann.deliver(kith(), ann.activity("Create", { ...FOR_ALL, object }));
    const uri = idOf(root);
    const guid = (await kith().server.features.posts.find({ uri }))?.guid ?? "";
    const texts = async () =>
      (await cid.get<CommentRecord[]>(`/posts/${guid}/comments`)).map(
        ({ Text }) => Text,
      );
    const likes = async () =>
      (await cid.get<PostRecord>(`/posts/${guid}`)).LikesCount;
    return { cid, ann, bob, prove, root, texts, likes };
  }

  const reply = (by: RemoteActor, root: JsonObject, more: JsonObject = {}) =>
    by.note({ inReplyTo: root["id"] ?? "", content: "<p>yes</p>", ...more });
  const create = (by: RemoteActor, object: JsonObject) =>
    by.activity("Create", { ...FOR_ALL, object });

  test("an activity with its actor's proof counts as the actor's, whoever forwards it", async () => {
    const { ann, bob, prove, root, texts, likes } = await thread();
    const note = reply(bob, root);
    await ann.deliver(kith(), prove(create(bob, note)));
    assert.deepEqual(await texts(), ["yes"]);
    const object = {
      ...note,
      content: "<p>no</p>",
      updated: "2026-01-03T00:00:00Z",
    };
    const update = prove(bob.activity("Update", { ...FOR_ALL, object }));
    await ann.deliver(kith(), update);
    assert.deepEqual(await texts(), ["no"]);
    const like = bob.activity("Like", { object: root["id"] ?? "" });
    await ann.deliver(kith(), prove(like));
    assert.equal(await likes(), 1);
    await ann.deliver(kith(), prove(bob.activity("Undo", { object: like })));
    assert.equal(await likes(), 0);
    const gone = { ...FOR_ALL, object: note["id"] ?? "" };
    await ann.deliver(kith(), prove(bob.activity("Delete", gone)));
    assert.deepEqual(await texts(), []);
    // Forwarded again, with other bytes, by another person.
    const again = prove({ ...create(bob, note) }, new Date(Date.now() - 5_000));
    await home.actor("somebody").deliver(kith(), again);
    await home.actor("somebody").deliver(kith(), prove(like));
    assert.deepEqual(await texts(), []);
    assert.equal(await likes(), 0);
  });

  test("a forwarded deletion of an account counts with its proof", async () => {
    const { ann, bob, prove, root, texts } = await thread();
    await ann.deliver(kith(), prove(create(bob, reply(bob, root))));
    assert.deepEqual(await texts(), ["yes"]);
    const object = bob.id;
    const removal = prove(bob.activity("Delete", { ...FOR_ALL, object }));
    away.documents.delete(bob.id);
    await ann.deliver(kith(), removal);
    assert.deepEqual(await texts(), []);
  });

  test("without a proof only the version of its own server counts", async () => {
    const { ann, bob, root, texts, likes } = await thread();
    const note = reply(bob, root);
    const forged = { ...note, content: "<p>forged</p>" };
    await ann.deliver(kith(), create(bob, forged));
    assert.deepEqual(await texts(), [], "Its server knows nothing of it");
    away.documents.set(idOf(note), note);
    await ann.deliver(kith(), create(bob, forged));
    assert.deepEqual(await texts(), ["yes"]);
    const like = bob.activity("Like", { object: root["id"] ?? "" });
    assert.equal((await ann.send(kith(), like)).status, 401);
    assert.equal(await likes(), 0);
    const remove = () =>
      bob.activity("Delete", { ...FOR_ALL, object: note["id"] ?? "" });
    await ann.deliver(kith(), remove());
    assert.deepEqual(await texts(), ["yes"], "It is still there");
    away.documents.delete(idOf(note));
    await ann.deliver(kith(), remove());
    assert.deepEqual(await texts(), []);
  });

  test("an LD signature is never trusted", async () => {
    const { ann, bob, root, texts } = await thread();
    const signed = await addLdSignature(
      create(bob, reply(bob, root)),
      {
        keyId: bob.keyId,
        privateKey: bob.privateKey,
        now: kith().clock.now(),
      },
      await loadJsonLd(),
    );
    await ann.deliver(kith(), signed);
    assert.deepEqual(await texts(), []);
  });

  test("a proof counts neither for another actor nor for another document", async () => {
    const { ann, bob, prove, root, texts } = await thread();
    const proveMallory = proving(home.actor(`mallory${names}`));
    const byBob = () => create(bob, reply(bob, root));
    const { privateKey } = generateKeyPairSync("ed25519");
    const other = away.actor(`other${names}`);
    const proveOther = proving(other);
    const good = prove(byBob());
    const hostile = [
      proveMallory(byBob()),
      // Of the same server as Bob.
      proveOther(byBob()),
      proverWith(`${bob.id}#proofs`, privateKey)(byBob()),
      { ...good, object: reply(bob, root, { content: "<p>worse</p>" }) },
      { ...good, actor: other.id },
      { ...byBob(), proof: good["proof"] ?? null },
    ];
    for (const one of hostile) await ann.deliver(kith(), one);
    assert.deepEqual(await texts(), []);
    // The refused ones do not displace Bob's own.
    await bob.deliver(kith(), good);
    assert.deepEqual(await texts(), ["yes"]);
  });

  test("forwarded limited content is refused", async () => {
    const { ann, bob, cid, prove, root, texts } = await thread();
    const to = [actorOf(kith(), cid.username)];
    const object = reply(bob, root, { to });
    const secret = bob.activity("Create", { to, object });
    await ann.deliver(kith(), prove(secret));
    assert.deepEqual(await texts(), []);
  });

  test("a late Follow with an old proof has no effect", async () => {
    const { ann, bob, cid, prove } = await thread();
    const object = actorOf(kith(), cid.username);
    const old = new Date(kith().clock.now().getTime() - 20 * 24 * 3_600_000);
    await ann.deliver(kith(), prove(bob.activity("Follow", { object }), old));
    const followers = async () => {
      const url = `${object}/followers`;
      return (JSON.parse((await bob.get(kith(), url)).text) as JsonObject)[
        "totalItems"
      ];
    };
    assert.equal(await followers(), 0);
    await ann.deliver(kith(), prove(bob.activity("Follow", { object })));
    assert.equal(await followers(), 1);
  });

  test("a server that brings too much has to wait", async () => {
    const flood = await RemoteServer.start();
    const [mallory, bob] = [flood.actor("mallory"), away.actor("anybody")];
    const said = () =>
      bob.activity("Create", { object: "https://x.example/1" });
    away.asked.length = 0;
    const statuses = new Set<number>();
    for (let times = 0; times < 305; times += 1) {
      statuses.add((await mallory.send(kith(), said())).status);
    }
    assert.deepEqual(statuses, new Set([202, 429]));
    await kith().settle();
    assert.deepEqual(away.asked, [], "What is not public is not asked about");
    const { ann } = await thread();
    assert.equal((await ann.send(kith(), said())).status, 202);
    await flood.close();
  });

  test("a thread is asked for upwards so far, and no ring is walked twice", async () => {
    const { ann } = await thread();
    const bob = away.actor(`bob${names}`);
    const chain = (length: number): JsonObject[] => {
      const notes = [ann.note()];
      home.documents.set(idOf(notes[0]), notes[0] ?? {});
      while (notes.length < length) {
        const note = reply(bob, notes.at(-1) ?? {});
        away.documents.set(idOf(note), note);
        notes.push(note);
      }
      return notes;
    };
    const known = async (note: JsonObject | undefined) => {
      const { posts, comments } = kith().server.features;
      const uri = idOf(note);
      return (
        (await posts.find({ uri })) !== undefined ||
        (await comments.find({ uri })) !== undefined
      );
    };
    const short = chain(6);
    const last = reply(ann, short.at(-1) ?? {});
    await ann.deliver(kith(), create(ann, last));
    for (const note of [...short, last]) assert.ok(await known(note));
    const long = chain(30);
    const far = reply(ann, long.at(-1) ?? {});
    away.asked.length = 0;
    await ann.deliver(kith(), create(ann, far));
    assert.equal(await known(far), false);
    const asked = away.asked.filter(({ path }) => path.startsWith("/notes/"));
    assert.equal(asked.length, 20);
    const [one, two] = [bob.newId("notes"), bob.newId("notes")];
    away.documents.set(one, bob.note({ id: one, inReplyTo: two }));
    away.documents.set(two, bob.note({ id: two, inReplyTo: one }));
    away.asked.length = 0;
    await ann.deliver(kith(), create(ann, reply(ann, { id: one })));
    assert.equal(
      away.asked.filter(({ path }) => path.startsWith("/notes/")).length,
      2,
    );
  });
});
