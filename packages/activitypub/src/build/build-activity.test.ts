import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildActivity, buildTombstone } from "./build-activity.ts";
import { buildActor } from "./build-actor.ts";
import { buildCollection, buildCollectionPage } from "./build-collection.ts";
import { buildNote } from "./build-note.ts";
import { withContext } from "../context.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { encodeMultikey } from "../keys.ts";
import { PUBLIC } from "../media-types.ts";
import { readActivity } from "../read/read-activity.ts";
import { readActor } from "../read/read-actor.ts";
import { readCollection } from "../read/read-collection.ts";
import { ed25519 } from "../../test/requests.ts";
import { vectorKey } from "../../test/vectors.ts";
import { ALICE, BASE, GUID, noteInput, wire } from "../../test/notes.ts";

/** All nested values, to check for forbidden ones. */
function* walk(value: JsonValue | undefined): Generator<JsonValue | undefined> {
  yield value;
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) yield* walk(inner);
  }
}

describe("buildActivity", () => {
  test("adds one context, on the outermost object", () => {
    const create = withContext(
      buildActivity({
        id: `${BASE}/activity/${GUID}`,
        type: "Create",
        actor: ALICE,
        object: withContext(buildNote(noteInput)),
        to: [PUBLIC],
        cc: [],
        published: "2026-06-15T12:00:00+02:00",
      }),
    );
    assert.equal(Object.keys(create)[0], "@context");
    const contexts = [...walk(create)].filter(
      (value) =>
        typeof value === "object" && value !== null && "@context" in value,
    );
    assert.equal(contexts.length, 1);
    const read = readActivity(wire(create));
    assert.deepEqual(
      [read.type, read.actor, read.object?.id],
      ["Create", ALICE, noteInput.id],
    );
    assert.equal(create["published"], "2026-06-15T10:00:00Z");
  });

  test("keeps an id as an id, and a Tombstone names its former type", () => {
    const like = buildActivity({
      id: `${BASE}/activity/1`,
      type: "Like",
      actor: ALICE,
      object: "https://peer.example/1",
      to: ["https://peer.example/bob"],
      guid: GUID,
    });
    assert.deepEqual(like, {
      id: `${BASE}/activity/1`,
      type: "Like",
      "diaspora:guid": GUID,
      actor: ALICE,
      to: ["https://peer.example/bob"],
      object: "https://peer.example/1",
    });
    assert.deepEqual(
      buildTombstone({
        id: "https://h.example/1",
        formerType: "Note",
        deleted: "2026-06-15T10:00:00.5Z",
        guid: GUID,
      }),
      {
        id: "https://h.example/1",
        type: "Tombstone",
        "diaspora:guid": GUID,
        formerType: "Note",
        deleted: "2026-06-15T10:00:00Z",
      },
    );
  });
});

describe("buildActor", () => {
  const input = {
    id: ALICE,
    preferredUsername: "alice",
    name: "Alice",
    summaryHtml: "<p>x</p>",
    url: "https://kith.example/u/alice",
    inbox: `${ALICE}/inbox`,
    outbox: `${ALICE}/outbox`,
    followers: `${ALICE}/followers`,
    following: `${ALICE}/following`,
    sharedInbox: `${BASE}/inbox`,
    publicKey: {
      id: `${ALICE}/actor#main-key`,
      pem: vectorKey("kith").publicKeyPem,
    },
    guid: GUID,
    webfinger: "alice@kith.example:8443",
    published: "2026-06-15T10:00:00Z",
  };

  test("round-trips, with one key object", () => {
    const built = withContext(buildActor(input));
    assert.deepEqual(built["publicKey"], {
      id: input.publicKey.id,
      owner: ALICE,
      publicKeyPem: input.publicKey.pem,
    });
    const read = readActor(wire(built));
    assert.deepEqual(
      [
        read.id,
        read.type,
        read.sharedInbox,
        read.guid,
        read.webfinger,
        read.manuallyApprovesFollowers,
      ],
      [
        ALICE,
        "Person",
        `${BASE}/inbox`,
        GUID,
        "alice@kith.example:8443",
        false,
      ],
    );
    assert.equal(read.publicKeys[0]?.id, input.publicKey.id);
  });

  test("adds the contexts that define an Ed25519 key", () => {
    const built = withContext(
      buildActor({
        ...input,
        assertionKeys: [
          {
            id: `${ALICE}#ed25519`,
            publicKeyMultibase: encodeMultikey(ed25519.publicKey),
          },
        ],
      }),
    );
    const context = built["@context"] as JsonValue[];
    assert.deepEqual(context.slice(0, 4), [
      "https://www.w3.org/ns/activitystreams",
      "https://w3id.org/security/v1",
      "https://www.w3.org/ns/did/v1",
      "https://w3id.org/security/multikey/v1",
    ]);
    const keys = readActor(wire(built)).publicKeys;
    assert.deepEqual(
      keys.map(({ id }) => id),
      [input.publicKey.id, `${ALICE}#ed25519`],
    );
    assert.equal(
      keys[1]?.pem,
      ed25519.publicKey.export({ format: "pem", type: "spki" }),
    );
    const update = withContext(
      buildActivity({
        id: `${BASE}/activity/2`,
        type: "Update",
        actor: ALICE,
        object: built,
      }),
    );
    assert.equal((update["@context"] as JsonValue[]).length, context.length);
  });
});

describe("the context", () => {
  test("defines every term that the builders use and the published ones lack", () => {
    const [, , terms] = withContext({})["@context"] as JsonObject[];
    assert.ok(terms);
    for (const name of [
      "Hashtag",
      "sensitive",
      "toot",
      "Emoji",
      "blurhash",
      "focalPoint",
      "diaspora",
      "manuallyApprovesFollowers",
      "discoverable",
      "webfinger",
      "conversation",
      "ostatus",
    ]) {
      assert.ok(name in terms, name);
    }
    assert.equal(terms["diaspora"], "https://diasporafoundation.org/ns/");
  });
});

describe("collections", () => {
  test("use the items member that fits their type", () => {
    const page = {
      id: "https://h.example/c?page=1",
      partOf: "https://h.example/c",
      items: ["https://h.example/1"],
      next: "https://h.example/c?page=2",
    };
    const ordered = buildCollectionPage(page);
    assert.deepEqual(
      [ordered["type"], "orderedItems" in ordered, "items" in ordered],
      ["OrderedCollectionPage", true, false],
    );
    const plain = buildCollectionPage({ ...page, ordered: false });
    assert.deepEqual(
      [plain["type"], "orderedItems" in plain, "items" in plain],
      ["CollectionPage", false, true],
    );
    for (const built of [ordered, plain]) {
      assert.deepEqual(readCollection(wire(built)), {
        id: page.id,
        next: page.next,
        items: [{ id: "https://h.example/1" }],
      });
    }
    const hidden = buildCollection({
      id: "https://h.example/c",
      type: "OrderedCollection",
      totalItems: 3,
    });
    assert.deepEqual(readCollection(wire(hidden)), {
      id: "https://h.example/c",
      totalItems: 3,
      items: [],
    });
  });
});
