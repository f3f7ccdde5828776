import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../json/json-types.ts";
import { readActor } from "./read-actor.ts";

const ACTOR = "https://peer.example/users/bob";

const actorJson = (over: JsonObject = {}): JsonObject => ({
  id: ACTOR,
  type: "Person",
  preferredUsername: "bob",
  inbox: `${ACTOR}/inbox`,
  ...over,
});

describe("readActor", () => {
  test("drops endpoints and keys of other origins", () => {
    const actor = readActor(
      actorJson({
        outbox: "https://evil.example/outbox",
        followers: "http://peer.example/followers",
        following: "https://peer.example:8443/following",
        endpoints: { sharedInbox: "https://evil.example/inbox" },
        url: "https://bank.example/",
        publicKey: [
          { id: "https://evil.example/key", owner: ACTOR, publicKeyPem: "x" },
          {
            id: `${ACTOR}#a`,
            owner: "https://peer.example/users/eve",
            publicKeyPem: "x",
          },
          { id: `${ACTOR}#b`, publicKeyPem: "first" },
          { id: `${ACTOR}#b`, publicKeyPem: "second" },
        ],
      }),
    );
    for (const name of [
      "outbox",
      "followers",
      "following",
      "sharedInbox",
      "url",
    ]) {
      assert.equal(name in actor, false, name);
    }
    assert.deepEqual(actor.publicKeys, [
      { id: `${ACTOR}#b`, owner: ACTOR, pem: "first" },
    ]);
  });

  test("accepts the shared inbox in both places, and on a subdomain", () => {
    const shared = "https://ap.peer.example/inbox";
    assert.equal(
      readActor(actorJson({ sharedInbox: shared })).sharedInbox,
      shared,
    );
    assert.equal(
      readActor(actorJson({ endpoints: { sharedInbox: shared } })).sharedInbox,
      shared,
    );
  });

  test("refuses non-actors and ambiguous documents", () => {
    for (const over of [
      { id: null },
      { id: { id: ACTOR } },
      { id: `${ACTOR}#x` },
      { id: "acct:bob@peer.example" },
      { type: "Note" },
      { type: ["Person", "Group"] },
      { inbox: null },
      { inbox: "https://evil.example/inbox" },
      { preferredUsername: "" },
      { preferredUsername: "bob@evil.example" },
      { preferredUsername: ".bob" },
      { preferredUsername: "bob-" },
      { preferredUsername: "b\u202eob" },
      { preferredUsername: 7 },
    ]) {
      assert.throws(
        () => readActor(actorJson(over)),
        { code: "not_an_actor" },
        JSON.stringify(over),
      );
    }
    assert.equal(readActor(actorJson({ type: ["Person"] })).type, "Person");
    assert.equal(
      readActor(actorJson({ preferredUsername: "b_0.o-B" })).preferredUsername,
      "b_0.o-B",
    );
  });

  test("truncates long values and reads the profile", () => {
    const actor = readActor(
      actorJson({
        name: "n".repeat(5000),
        summary: `${"s".repeat(20_479)}\u{1f600}`,
        alsoKnownAs: Array.from(
          { length: 300 },
          (_, n) => `https://peer.example/${n}`,
        ),
        movedTo: "https://new.example/users/bob",
        webfinger: "acct:bob@peer.example",
        icon: ["https://peer.example/a.png"],
        image: {
          type: "Image",
          url: [
            {
              type: "Link",
              href: "https://peer.example/b.png",
              mediaType: "image/png",
            },
          ],
        },
        attachment: {
          type: "PropertyValue",
          name: "Home",
          value: '<a href="https://bob.example">x</a>',
        },
        manuallyApprovesFollowers: true,
        published: "2026-06-15",
      }),
    );
    assert.equal(actor.name?.length, 2048);
    assert.equal(actor.summary?.endsWith("s\ufffd"), true);
    assert.equal(actor.alsoKnownAs.length, 256);
    assert.equal(actor.movedTo, "https://new.example/users/bob");
    assert.equal(actor.webfinger, "bob@peer.example");
    assert.deepEqual(actor.icon, { url: "https://peer.example/a.png" });
    assert.deepEqual(actor.image, {
      url: "https://peer.example/b.png",
      mediaType: "image/png",
    });
    assert.deepEqual(
      actor.fields.map(({ name }) => name),
      ["Home"],
    );
    assert.equal(actor.manuallyApprovesFollowers, true);
    assert.equal("published" in actor, false);
  });
});
