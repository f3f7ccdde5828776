import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CONTENT_TYPE, signCavage } from "@kith/activitypub";
import type { JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { actorOf } from "../../packages/server/test/support/remote/linked-data.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import {
  announce,
  create,
  FOR_ALL,
  redirect,
  serve,
  useCaseServers,
} from "./case-town.ts";

forEachDatabase((kind) => {
  const town = useCaseServers(kind);
  const { kith, ann, good, evil, honest, mallory, followed, textOf, unharmed } =
    town;
  const find = (actorUri: string) =>
    kith().server.features.people.find({ uri: actorUri });

  describe("case 01: a document counts only under the address it was fetched from", () => {
    /** A note on the good server, and the copy served by mallory's. */
    const forgery = () => {
      const note = honest().note({ content: "<p>genuine</p>" });
      return { note, forged: { ...note, content: "<p>forged</p>" } };
    };

    test("case 01: as a boosted object", async () => {
      const by = await followed(mallory());
      const { note, forged } = forgery();
      const at = serve(evil(), forged, by.newId("notes"));
      await unharmed(() => by.deliver(kith(), announce(by, at)));
      // If its own server has it, that version counts.
      serve(good(), note);
      await by.deliver(kith(), announce(by, serve(evil(), forged, `${at}-2`)));
      assert.equal(await textOf(idOf(note)), "genuine");
    });

    test("case 01: as a replied-to object", async () => {
      const by = await followed(mallory());
      const { forged } = forgery();
      const inReplyTo = serve(evil(), forged, by.newId("notes"));
      await unharmed(() =>
        by.deliver(kith(), create(by, by.note({ inReplyTo }))),
      );
    });

    test("case 01: behind a redirect, from either server", async () => {
      const by = await followed(mallory());
      for (const status of [301, 302, 307, 308]) {
        const { note, forged } = forgery();
        const copy = serve(evil(), forged, by.newId("notes"));
        const { pathname } = new URL(idOf(note));
        redirect(good(), pathname, copy, status);
        await unharmed(
          () => by.deliver(kith(), announce(by, idOf(note))),
          `an open redirect of the author's server, ${status}`,
        );
        const there = redirect(evil(), `/r${pathname}`, idOf(note), status);
        await unharmed(() => by.deliver(kith(), announce(by, there)));
      }
    });

    test("case 01: as a searched person", async () => {
      const alice = honest();
      const copy = { ...mallory().document(), ...alice.document() };
      const { publicKeyPem } = mallory();
      const key = { id: alice.keyId, owner: alice.id, publicKeyPem };
      const at = `${evil().origin}/users/copy`;
      serve(evil(), { ...copy, publicKey: key }, at);
      fingerAs(at);
      const handle = `copy@${new URL(evil().origin).host}`;
      const sent = { form: { handle } };
      await unharmed(async () => {
        assert.equal((await ann().call("POST", "/search", sent)).status, 404);
      });
      evil().answers.delete("/.well-known/webfinger");
      assert.equal(await find(alice.id), undefined);
    });

    test("case 01: as the owner of a key", async () => {
      const alice = honest();
      const thief = mallory();
      const { publicKeyPem } = thief;
      const keyId = `${evil().origin}/keys/${thief.name}`;
      const key = { id: keyId, owner: alice.id, publicKeyPem };
      serve(evil(), { ...key, type: "Key" }, keyId);
      const url = `${kith().baseUrl}/api/v1/ap/inbox`;
      const actorDocument = `${evil().origin}/actors/${thief.name}`;
      serve(evil(), { ...alice.document(), publicKey: key }, actorDocument);
      await unharmed(async () => {
        for (const named of [keyId, actorDocument, `${actorDocument}#key`]) {
          const object = actorOf(kith(), ann().username);
          const follow = alice.activity("Follow", { object });
          const body = Buffer.from(JSON.stringify(follow));
          const headers = await signCavage({
            method: "POST",
            url,
            headers: { "content-type": CONTENT_TYPE },
            body,
            keyId: named,
            privateKey: thief.privateKey,
            now: kith().clock.now(),
          });
          const init = { method: "POST", headers, body };
          assert.equal((await fetch(url, init)).status, 401, named);
        }
      });
    });

    /** The evil server's documents about any person. */
    function fingerAs(href: string) {
      const host = new URL(evil().origin).host;
      const type = "application/activity+json";
      serve(
        evil(),
        {
          subject: `acct:copy@${host}`,
          links: [{ rel: "self", type, href }],
        },
        `${evil().origin}/.well-known/webfinger`,
        "application/jrd+json",
      );
    }
  });

  test("case 02: only responses with an ActivityPub content type are documents", async () => {
    const by = await followed(mallory());
    const types = [
      "",
      "text/plain",
      "text/html",
      "image/png",
      "application/json",
      "application/octet-stream",
      "application/ld+json",
      'application/ld+json; profile="https://example.org/other"',
      "application/activity+json-seq",
      "multipart/form-data; boundary=application/activity+json",
    ];
    for (const type of types) {
      const note = by.note();
      serve(evil(), note, idOf(note), type);
      await unharmed(() => by.deliver(kith(), announce(by, idOf(note))), type);
      // The same for an actor, and thus its key.
      const liar = mallory();
      serve(evil(), liar.document(), liar.id, type);
      await unharmed(async () => {
        const like = liar.activity("Like", { object: "https://x.example/1" });
        assert.equal((await liar.send(kith(), like)).status, 401, type);
      }, type);
    }
    const note = by.note({ content: "<p>well served</p>" });
    serve(evil(), note);
    await by.deliver(kith(), announce(by, idOf(note)));
    assert.equal(await textOf(idOf(note)), "well served");
  });

  test("case 04: actor, author and address of a post must agree", async () => {
    const [alice, bob, eve] = [honest(), honest(), mallory()];
    const people = [alice, bob, eve];
    for (const one of people) await followed(one);
    const originOf = (url: string) => new URL(url).origin;
    let stored = 0;
    for (const actor of people)
      for (const author of people)
        for (const host of [alice, eve]) {
          const id = host.newId("triples");
          const object = actor.note({ id, attributedTo: author.id });
          for (const type of ["Create", "Update"]) {
            const said = actor.activity(type, { ...FOR_ALL, object });
            await actor.send(kith(), said);
          }
          await kith().settle();
          const agrees =
            actor === author && originOf(id) === originOf(actor.id);
          const what = `${actor.id} says that ${author.id} wrote ${id}`;
          const post = await kith().server.features.posts.find({ uri: id });
          assert.equal(post !== undefined, agrees, what);
          const by = post && (await find(actor.id));
          assert.equal(post?.personId, by?.id, what);
          stored += agrees ? 1 : 0;
        }
    assert.equal(stored, 3);
  });

  test("case 07: a forwarded copy is never stored, and displaces nothing genuine", async () => {
    const alice = await followed(honest());
    const eve = await town.meet(mallory());
    const note = alice.note({ content: "<p>genuine</p>" });
    const real = create(alice, note);
    const altered = (object: JsonObject) => ({
      ...real,
      object: { ...object, content: "<p>altered</p>" },
    });
    // Before its own server serves it: nothing is trusted.
    await unharmed(() => eve.deliver(kith(), altered(note)));
    await alice.deliver(kith(), real);
    assert.equal(await textOf(idOf(note)), "genuine");
    // Once it can be fetched, the fetched version counts.
    const second = alice.note({ content: "<p>second</p>" });
    serve(good(), second);
    await eve.deliver(kith(), {
      ...create(alice, { ...second, content: "<p>altered</p>" }),
    });
    assert.equal(await textOf(idOf(second)), "second");
  });

  test("case 09: an Update does not affect another server, nor create objects for it", async () => {
    const alice = await followed(honest());
    const eve = await followed(mallory());
    const known = alice.note({ content: "<p>hers</p>" });
    await alice.deliver(kith(), create(alice, known));
    const updated = "2026-05-05T00:00:00Z";
    const change = (object: JsonObject) =>
      eve.activity("Update", {
        ...FOR_ALL,
        object: { ...object, content: "<p>forged</p>", updated },
      });
    const first = alice.note();
    const hostile = {
      "what is known": known,
      "what is known, as her own": { ...known, attributedTo: eve.id },
      "what is new": first,
      "what is new, as her own": { ...first, attributedTo: eve.id },
      "her own, by somebody else": eve.note({ attributedTo: alice.id }),
      "the actor of another": alice.document(),
    };
    for (const [what, object] of Object.entries(hostile))
      await unharmed(() => eve.deliver(kith(), change(object)), what);
    assert.equal(await textOf(idOf(known)), "hers");
  });

  test("case 10: only the id of an announced object is used", async () => {
    const alice = honest();
    const eve = await followed(mallory());
    const note = alice.note({ content: "<p>genuine</p>" });
    const forged = { ...note, content: "<p>forged</p>" };
    await unharmed(() => eve.deliver(kith(), announce(eve, forged)));
    serve(good(), note);
    await eve.deliver(kith(), announce(eve, forged));
    assert.equal(await textOf(idOf(note)), "genuine");
  });
});
