import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { HOSTILE_KINDS, hostileJsonLd } from "../../test/hostile-json-ld.ts";
import { jsonLd } from "../../test/json-ld.ts";
import { rsa } from "../../test/requests.ts";
import { ActivityPubError } from "../errors.ts";
import { parseJson } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { checkJsonLdBounds } from "./json-ld-bounds.ts";
import { verifyLdSignature } from "./ld-signature.ts";
import { readPlainly } from "./plain-reading.ts";

const AS = "https://www.w3.org/ns/activitystreams";
const folder = new URL(
  "../../../../test/vectors/activitypub/",
  import.meta.url,
);
const recorded = fs
  .readdirSync(folder)
  .filter((name) => /^(?!evil-|index|signatures).*\.json$/.test(name));

const members: JsonObject = {
  id: "https://evil.example/a/1",
  type: "Create",
  actor: "https://evil.example/u",
};
const tooLarge = { code: "unsupported", message: /^Too large for JSON-LD/ };

/** JSON-LD processing that must not be reached. */
const never = {
  compact: () => assert.fail("compacted"),
  canonize: () => assert.fail("canonized"),
};

test("three times any recorded activity is within the bounds", () => {
  assert.ok(recorded.length > 50);
  for (const name of recorded) {
    const document = parseJson(fs.readFileSync(new URL(name, folder)));
    checkJsonLdBounds({ items: [document, document, document] });
  }
});

for (const kind of HOSTILE_KINDS) {
  test(`refused before any work: ${kind}`, async () => {
    const document = hostileJsonLd(kind, 250_000, members);
    assert.ok(JSON.stringify(document).length > 100_000, "It is large");
    await assert.rejects(readPlainly(document, never), tooLarge);
    const signature = {
      type: "RsaSignature2017",
      creator: "https://evil.example/u#main-key",
      signatureValue: "x",
    };
    await assert.rejects(
      verifyLdSignature({ ...document, signature }, rsa.publicKey, never),
      tooLarge,
    );
    // The signer also chooses the options of a signature.
    const options = { ...signature, nonce: document };
    await assert.rejects(
      verifyLdSignature(
        { ...members, signature: options },
        rsa.publicKey,
        never,
      ),
      tooLarge,
    );
  });

  test(`a part within the bounds is little work: ${kind}`, async () => {
    let [least, most] = [10, 250_000];
    while (most - least > 10) {
      const bytes = (least + most) >> 1;
      if (isWithin(hostileJsonLd(kind, bytes, members))) least = bytes;
      else most = bytes;
    }
    const document = hostileJsonLd(kind, least, members);
    const started = process.cpuUsage();
    for (const work of [
      () => jsonLd.compact(document, [AS]),
      () => jsonLd.canonize(document),
    ])
      await work().catch((error: unknown) =>
        assert.ok(error instanceof ActivityPubError),
      );
    // Some 40 ms; without the bound that limits it, it takes minutes or runs out of memory.
    const { user } = process.cpuUsage(started);
    assert.ok(user < 5_000_000, `${user} µs of work`);
  });
}

function isWithin(document: JsonObject): boolean {
  try {
    checkJsonLdBounds(document);
    return true;
  } catch {
    return false;
  }
}

/** The maximum of one kind, in every place where it can occur. */
const places: Readonly<
  Record<string, (count: number) => Record<string, JsonValue>>
> = {
  "contexts in a list": (count) => ({
    "@context": Array.from({ length: count }, () => AS),
  }),
  "contexts that are null": (count) => ({
    "@context": Array.from({ length: count }, () => null),
  }),
  "contexts in lists in a list": (count) => ({
    "@context": [Array.from({ length: count }, () => AS)],
  }),
  "contexts in the context": (count) => ({
    "@context": { "@context": Array.from({ length: count }, () => ({})) },
  }),
  "contexts in a term": (count) => ({
    "@context": {
      x: { "@id": "as:x", "@context": Array.from({ length: count }, () => AS) },
    },
  }),
  "contexts in one term after the other": (count) => ({
    "@context": Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`x${at}`, { "@context": {} }]),
    ),
  }),
  "contexts of things in lists": (count) => ({
    tag: [Array.from({ length: count }, () => ({ "@context": {} }))],
  }),
};
for (const [what, build] of Object.entries(places))
  test(`counted: ${what}`, () => {
    checkJsonLdBounds(build(4));
    assert.throws(() => checkJsonLdBounds(build(20)), tooLarge);
  });

test("a context in a term definition counts once for each use of the term", () => {
  const uses = (count: number, definition: JsonObject) => ({
    "@context": [AS, { x: { "@id": "as:x", ...definition } }],
    x: Array.from({ length: count }, () => "y"),
  });
  checkJsonLdBounds(uses(1_000, {}));
  checkJsonLdBounds(uses(200, { "@context": {} }));
  assert.throws(
    () => checkJsonLdBounds(uses(1_000, { "@context": {} })),
    tooLarge,
  );
});
