import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import {
  person,
  privateKeyOf,
  publicKeyOf,
  receiveVector,
} from "../../test/vectors.ts";
import { buildEnvelope, parseEnvelope, verifyEnvelope } from "./envelope.ts";

const PAYLOAD = "<like>\n  <author>ünal@pod.example</author>\n</like>";
const ALICE = "alice@pod-a.example";

function build(payloadXml = PAYLOAD): Promise<string> {
  const privateKey = privateKeyOf("alice");
  return buildEnvelope({ payloadXml, sender: ALICE, privateKey });
}

test("an envelope opens with its sender's key, as text or bytes, PEM or KeyObject", async () => {
  const xml = await build();
  for (const body of [xml, Buffer.from(xml), new TextEncoder().encode(xml)]) {
    for (const key of [publicKeyOf("alice"), person("alice").public_key_pem]) {
      const envelope = parseEnvelope(body);
      assert.equal(envelope.claimedSender, ALICE);
      assert.deepEqual(await verifyEnvelope(envelope, key), {
        sender: ALICE,
        payloadXml: PAYLOAD,
      });
    }
  }
});

test("a private key given as PEM signs too", async () => {
  const privateKey = privateKeyOf("alice")
    .export({ type: "pkcs8", format: "pem" })
    .toString();
  const xml = await buildEnvelope({
    payloadXml: PAYLOAD,
    sender: ALICE,
    privateKey,
  });
  assert.equal(xml, await build());
});

test("a payload of more than a megabyte passes", async () => {
  const payload = `<a>${"x".repeat(1_200_000)}</a>`;
  const envelope = parseEnvelope(await build(payload));
  const opened = await verifyEnvelope(envelope, publicKeyOf("alice"));
  assert.equal(opened.payloadXml, payload);
});

test("another person's key does not verify it", async () => {
  const envelope = parseEnvelope(await build());
  await assert.rejects(
    verifyEnvelope(envelope, publicKeyOf("bob")),
    fault("envelope_signature", "bad_signature"),
  );
});

test("an invalid sender handle is refused, writing and reading", async () => {
  const privateKey = privateKeyOf("alice");
  await assert.rejects(
    buildEnvelope({
      payloadXml: PAYLOAD,
      sender: "Alice@pod.example",
      privateKey,
    }),
    fault("envelope", "bad_sender"),
  );
  const xml = await build();
  assert.throws(
    () => parseEnvelope(xml.replace(/key_id="[^"]*"/, 'key_id="Pj4-"')),
    fault("envelope", "bad_sender"),
  );
});

test("each syntax error has its code", async () => {
  const xml = await build();
  const faults: [string, string, string][] = [
    ["not_an_envelope", "me:env", "me:provenance"],
    ["missing_data", "me:data", "me:date"],
    ["unsupported_type", "application/xml", "application/atom+xml"],
    ["unsupported_encoding", ">base64url<", ">base64<"],
    ["unsupported_algorithm", "RSA-SHA256", "RSA-SHA1"],
    ["missing_signature", '">[^<]*</me:sig>', '"> </me:sig>'],
    ["bad_encoding", '">[^<]*</me:sig>', '">!</me:sig>'],
    ["doctype_refused", "<me:env", "<!DOCTYPE me:env>\n<me:env"],
    ["malformed_xml", "</me:env>", ""],
  ];
  for (const [code, from, to] of faults) {
    const changed = xml.replaceAll(new RegExp(from, "g"), to);
    assert.notEqual(changed, xml, code);
    assert.throws(() => parseEnvelope(changed), fault("envelope", code), code);
  }
});

test("a body that is too large, not UTF-8 or empty is refused", () => {
  assert.throws(
    () => parseEnvelope(Buffer.alloc(2 * 1024 * 1024 + 1, " ")),
    fault("envelope", "too_large"),
  );
  assert.throws(
    () => parseEnvelope(Buffer.from([0x3c, 0xff, 0xfe])),
    fault("envelope", "bad_encoding"),
  );
  assert.throws(() => parseEnvelope(""), fault("envelope", "malformed_xml"));
});

test("a payload that is not UTF-8 is reported only after the signature", async () => {
  const xml = await build();
  const data = Buffer.from([0x3c, 0x61, 0xff]).toString("base64");
  const changed = xml.replace(/xml">[^<]*</, `xml">${data}<`);
  const envelope = parseEnvelope(changed);
  assert.throws(() => envelope.payloadXml(), fault("payload", "bad_encoding"));
  await assert.rejects(
    verifyEnvelope(envelope, publicKeyOf("alice")),
    fault("envelope_signature", "bad_signature"),
  );
});

test("a key that is not RSA, or too short, is refused before verification", async () => {
  const envelope = parseEnvelope(receiveVector("public-reshare").body);
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const short = generateKeyPairSync("rsa", { modulusLength: 768 });
  for (const { publicKey } of [ec, short]) {
    await assert.rejects(
      verifyEnvelope(envelope, publicKey),
      fault("envelope_signature", "bad_key"),
    );
  }
});
