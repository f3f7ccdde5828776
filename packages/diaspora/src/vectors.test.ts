import assert from "node:assert/strict";
import { test } from "node:test";
import { receive } from "../test/receive.ts";
import type { Outcome } from "../test/receive.ts";
import { toVectorForm } from "../test/vector-form.ts";
import {
  privateKeyOf,
  publicKeyOf,
  readFixture,
  vectorFile,
  vectorsOf,
} from "../test/vectors.ts";
import {
  base64urlEncode,
  buildEntity,
  buildEnvelope,
  buildRelayed,
  isGuid,
  isHandle,
  isRelayable,
  migrationIdentities,
  migrationSignatureBase,
  parseEntity,
  parseEnvelope,
  relayableSignatureBase,
  signProperties,
  verifyAuthorSignature,
} from "./index.ts";
import type { Entity } from "./index.ts";

/** Deliberate deviations from the reference; each is `info` in the vectors. */
const OTHER_VERDICT = new Map([
  ["env-data-linebreaks", "white space is forgiven"],
  ["relayable-comment-fraction-raw", "verified over the text as it arrived"],
  ["relayable-like-bool-1-raw", "verified over the text as it arrived"],
]);

/** Faults that we find at another stage; the verdict is the same. */
const OTHER_STAGE = new Map([
  ["form-legacy-diaspora-handle", "validation"],
  ["env-key-id-upper", "envelope"],
  ["enc-inner-sig-wrong", "envelope_signature"],
]);

test("every kind of vector is complete", () => {
  for (const [kind, count] of Object.entries(vectorFile.counts)) {
    const found = vectorFile.vectors.filter((vector) => vector.kind === kind);
    assert.equal(found.length, count, kind);
  }
});

for (const vector of vectorsOf("receive")) {
  test(`receive: ${vector.id}`, async () => {
    const outcome = await receive(vector);
    if (OTHER_VERDICT.has(vector.id)) {
      assert.equal(vector.severity, "info");
      assert.notEqual(outcome.verdict, vector.expected.verdict);
      return;
    }
    assert.equal(outcome.verdict, vector.expected.verdict, describe(outcome));
    if (outcome.verdict === "reject") {
      const stage = OTHER_STAGE.get(vector.id) ?? vector.expected.stage;
      assert.equal(outcome.stage, stage, outcome.reason);
      return;
    }
    const { expected } = vector;
    assert.equal(outcome.sender, expected.sender);
    assert.equal(outcome.payloadXml, expected.payload_xml);
    assert.equal(outcome.entity.type, expected.entity_type);
    assert.deepEqual(toVectorForm(outcome.entity), expected.entity);
    if (expected.signature_base_string !== undefined) {
      assert.equal(baseOf(outcome.entity), expected.signature_base_string);
    }
  });
}

for (const vector of vectorsOf("receive")) {
  if (vector.expected.verdict !== "accept") continue;
  test(`written again: ${vector.id}`, () => {
    const entity = parseEntity(vector.expected.payload_xml ?? "");
    assert.deepEqual(parseEntity(buildEntity(entity)), entity);
  });
}

for (const vector of vectorsOf("author_signature")) {
  test(`author_signature: ${vector.id}`, async () => {
    const { properties, expected } = vector;
    const { author_signature, signature_base_string } = expected;
    const key = privateKeyOf(vector.signer);
    assert.equal(await signProperties(properties, key), author_signature);
    const fields = new Map(properties);
    const relayed = buildRelayed({
      type: "comment",
      author: fields.get("author") ?? "",
      guid: fields.get("guid") ?? "",
      parentGuid: fields.get("parent_guid") ?? "",
      text: "not what is written",
      signed: { properties, authorSignature: author_signature },
    }).replaceAll(/(?<=<\/?)comment(?=>)/g, vector.entity_type);
    const entity = parseEntity(relayed);
    assert.ok(isRelayable(entity));
    assert.deepEqual(entity.signed?.properties, properties);
    assert.equal(relayableSignatureBase(entity), signature_base_string);
    assert.ok(await verifyAuthorSignature(entity, publicKeyOf(vector.signer)));
  });
}

for (const vector of vectorsOf("build_envelope")) {
  test(`build_envelope: ${vector.id}`, async () => {
    const xml = await buildEnvelope({
      payloadXml: vector.payload_xml,
      sender: vector.sender,
      privateKey: privateKeyOf(vector.key),
    });
    const { data, key_id, sig, signature_base_string } = vector.expected;
    assert.ok(
      xml.includes(`<me:data type="application/xml">${data}</me:data>`),
    );
    assert.ok(xml.includes(`<me:sig key_id="${key_id}">${sig}</me:sig>`));
    assert.equal(parseEnvelope(xml).signatureBase, signature_base_string);
  });
}

for (const { id, input, expected } of vectorsOf("base64url")) {
  test(`base64url: ${id}`, () => {
    assert.equal(base64urlEncode(input), expected.encoded);
    assert.equal(base64urlEncode(Buffer.from(input)), expected.encoded);
  });
}

for (const { id, input, expected } of vectorsOf("diaspora_id")) {
  test(`handle: ${id}`, () => assert.equal(isHandle(input), expected.valid));
}

for (const { id, input, expected } of vectorsOf("guid")) {
  test(`guid: ${id}`, () => assert.equal(isGuid(input), expected.valid));
}

test("our output equals the reference's except for character references", () => {
  for (const vector of vectorsOf("receive")) {
    const { verdict, payload_xml: xml = "" } = vector.expected;
    if (verdict !== "accept" || !vector.id.startsWith("public-")) continue;
    const reference = xml
      .replaceAll("&#xD;", "&#13;")
      .replaceAll(/&#x([0-9A-F]{2,6});/g, (_, hex: string) =>
        String.fromCodePoint(Number.parseInt(hex, 16)),
      );
    assert.equal(buildEntity(parseEntity(xml)), reference, vector.id);
  }
});

test("the sample of each entity parses as its description says", () => {
  const name = "status_message.all";
  const described = JSON.parse(readFixture(`entities/${name}.json`)) as {
    entity: unknown;
  };
  const entity = parseEntity(readFixture(`entities/${name}.xml`));
  assert.deepEqual(toVectorForm(entity), described.entity);
});

function describe(outcome: Outcome): string {
  return outcome.verdict === "reject" ? outcome.reason : "accepted";
}

function baseOf(entity: Entity): string {
  if (isRelayable(entity)) return relayableSignatureBase(entity);
  assert.equal(entity.type, "account_migration");
  const { oldHandle, newHandle } = migrationIdentities(entity);
  return migrationSignatureBase(oldHandle, newHandle);
}
