import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "./json/json-types.ts";
import { requireSigner, resolveKey } from "./resolve-key.ts";
import type { FetchDocument, FetchedDocument } from "./resolve-key.ts";
import { vectorFetcher, vectorKey } from "../test/vectors.ts";
import { jsonLd } from "../test/json-ld.ts";

const BOB = "https://peer.example/users/bob";
const pem = vectorKey("mastodon").publicKeyPem;
const otherPem = vectorKey("attacker").publicKeyPem;

const actor = (over: JsonObject = {}, key: JsonObject = {}): JsonObject => ({
  id: BOB,
  type: "Person",
  preferredUsername: "bob",
  inbox: `${BOB}/inbox`,
  publicKey: { id: `${BOB}#main-key`, owner: BOB, publicKeyPem: pem, ...key },
  ...over,
});

function serve(
  documents: Record<string, JsonObject | Partial<FetchedDocument>>,
): FetchDocument {
  return (url) => {
    const found = documents[url];
    if (found === undefined) return Promise.resolve(undefined);
    const isAnswer =
      "status" in found || "contentType" in found || "body" in found;
    const answer = {
      status: 200,
      contentType: "application/activity+json",
      body: Buffer.from(isAnswer ? "{}" : JSON.stringify(found)),
    };
    return Promise.resolve(
      isAnswer ? { ...answer, ...(found as Partial<FetchedDocument>) } : answer,
    );
  };
}

const resolve = (keyId: string, fetchDocument: FetchDocument) =>
  resolveKey({ keyId, fetchDocument, jsonLd });

test("an actor that lists its key takes one request", async () => {
  const asked: string[] = [];
  const found = await resolve(
    "https://mastodon.example/users/bob#main-key",
    vectorFetcher(asked),
  );
  assert.equal(found.kind, "resolved");
  assert.equal(found.key.owner, "https://mastodon.example/users/bob");
  assert.equal(found.actor?.preferredUsername, "bob");
  assert.deepEqual(asked, ["https://mastodon.example/users/bob"]);
});

test("a key at its own address requires the owner too", async () => {
  for (const [keyId, owner] of [
    [
      "https://kith2.example/api/v1/ap/person/alice/actor#main-key",
      "https://kith2.example/api/v1/ap/person/alice",
    ],
    [
      "https://gts.example/users/carol/main-key",
      "https://gts.example/users/carol",
    ],
    [
      "https://kith2.example/standalone/zoe/key",
      "https://kith2.example/standalone/zoe",
    ],
  ] as const) {
    const asked: string[] = [];
    const found = await resolve(keyId, vectorFetcher(asked));
    assert.equal(found.kind === "resolved" && found.key.owner, owner);
    assert.deepEqual(asked, [keyId.replace(/#.*/, ""), owner]);
  }
});

test("a stored key is returned without a request, a key of another id is not", async () => {
  const cached = { keyId: `${BOB}#main-key`, owner: BOB, pem };
  const never: FetchDocument = () => assert.fail("asked");
  assert.deepEqual(
    await resolveKey({
      keyId: cached.keyId,
      cached,
      fetchDocument: never,
      jsonLd,
    }),
    { kind: "resolved", key: cached },
  );
  const found = await resolveKey({
    keyId: `${BOB}#other`,
    cached,
    fetchDocument: serve({}),
    jsonLd,
  });
  assert.deepEqual(found, { kind: "unavailable", reason: "unreachable" });
});

test("an unavailable key is gone, or unreachable for now", async () => {
  const keyId = `${BOB}#main-key`;
  for (const [status, reason] of [
    [404, "gone"],
    [410, "gone"],
    [401, "unreachable"],
    [500, "unreachable"],
    [204, "unreachable"],
  ] as const) {
    assert.deepEqual(await resolve(keyId, serve({ [BOB]: { status } })), {
      kind: "unavailable",
      reason,
    });
  }
});

test("an answer that proves nothing is refused", async () => {
  const keyId = `${BOB}#main-key`;
  const eve = "https://peer.example/users/eve";
  const cases: [string, string, FetchDocument][] = [
    ["not-a-url", "acct:bob@peer.example", serve({})],
    [
      "key-document-content-type",
      keyId,
      serve({ [BOB]: { contentType: "application/json" } }),
    ],
    [
      "not-a-key-document",
      keyId,
      serve({ [BOB]: { body: Buffer.from("<html>") } }),
    ],
    [
      "not-a-key-document",
      keyId,
      serve({
        [BOB]: {
          body: Buffer.from(JSON.stringify(actor())),
          finalUrl: "https://evil.example/x",
        },
      }),
    ],
    ["not-a-key-document", `${BOB}#other`, serve({ [BOB]: actor() })],
    // The owner is of another server, is another person, or does not list the key.
    [
      "key-owner-not-confirmed",
      keyId,
      serve({
        [BOB]: actor({}, { owner: "https://mastodon.example/users/bob" }),
      }),
    ],
    [
      "key-owner-not-confirmed",
      keyId,
      serve({
        [BOB]: actor({}, { owner: eve }),
        [eve]: actor({ id: eve }, { id: `${eve}#main-key`, owner: eve }),
      }),
    ],
    // The same id with another key, and a document that is not at its own id.
    [
      "key-owner-not-confirmed",
      `${BOB}/key`,
      serve({
        [`${BOB}/key`]: {
          body: Buffer.from(
            JSON.stringify({
              id: `${BOB}/key`,
              owner: BOB,
              publicKeyPem: otherPem,
            }),
          ),
        },
        [BOB]: actor({}, { id: `${BOB}/key` }),
      }),
    ],
    [
      "key-owner-not-confirmed",
      `${BOB}/key`,
      serve({
        [`${BOB}/key`]: {
          body: Buffer.from(
            JSON.stringify({ id: `${BOB}/key`, owner: BOB, publicKeyPem: pem }),
          ),
        },
        [BOB]: actor({ id: eve }, { id: `${BOB}/key`, owner: eve }),
      }),
    ],
    [
      "key-owner-not-confirmed",
      keyId,
      serve({ [BOB]: actor({ inbox: "https://evil.example/inbox" }) }),
    ],
  ];
  for (const [reason, id, fetchDocument] of cases) {
    assert.deepEqual(await resolve(id, fetchDocument), {
      kind: "refused",
      reason,
    });
  }
});

test("a signer must be the actor", () => {
  requireSigner(BOB, { actor: BOB });
  assert.throws(() => requireSigner(BOB, { actor: `${BOB}/` }), {
    fault: "actor-key-mismatch",
  });
});
