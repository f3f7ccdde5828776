import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { decodeBase58, encodeBase58 } from "./proofs/base58.ts";
import { canonicalize } from "./json/jcs.ts";
import {
  decodeMultikey,
  encodeMultikey,
  importPublicKey,
  isPublicKey,
  isSameKey,
} from "./keys.ts";
import { vectorKey } from "../test/vectors.ts";

describe("base58btc", () => {
  test("has the values of the draft (draft-msporny-base58 §5)", () => {
    assert.equal(
      encodeBase58(Buffer.from("Hello World!")),
      "2NEpo7TZRRrLZSi2U",
    );
    assert.equal(encodeBase58(Buffer.from("0000287fb4cd", "hex")), "11233QC4");
    assert.deepEqual(
      decodeBase58("11233QC4"),
      Uint8Array.from(Buffer.from("0000287fb4cd", "hex")),
    );
    assert.equal(encodeBase58(new Uint8Array()), "");
  });

  test("decodes what it encodes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 150 }), (bytes) => {
        assert.deepEqual(decodeBase58(encodeBase58(bytes)), bytes);
      }),
    );
  });

  test("refuses other characters and long texts", () => {
    for (const text of ["0", "O", "I", "l", " ", "é", "1".repeat(257)]) {
      assert.equal(decodeBase58(text), undefined);
    }
  });
});

describe("keys", () => {
  test("encodes and decodes the Multikey of the vector", () => {
    const key = vectorKey("hollo-ed25519");
    const decoded = decodeMultikey(key.publicKeyMultibase ?? "");
    assert.ok(decoded?.equals(importPublicKey(key.publicKeyPem)));
    assert.equal(decoded && encodeMultikey(decoded), key.publicKeyMultibase);
  });

  test("refuses other multibases and codecs", () => {
    const multibase = vectorKey("hollo-ed25519").publicKeyMultibase ?? "";
    for (const text of [
      "",
      "z",
      multibase.slice(1),
      `u${multibase.slice(1)}`,
      multibase.slice(0, -1),
      `z${encodeBase58(Buffer.alloc(34))}`,
    ]) {
      assert.equal(decodeMultikey(text), undefined);
    }
  });

  test("SPKI and PKCS#1 are the same key", () => {
    const pkcs1 = vectorKey("pkcs1-pem").publicKeyPem;
    const spki = importPublicKey(pkcs1)
      .export({ format: "pem", type: "spki" })
      .toString();
    assert.match(pkcs1, /BEGIN RSA PUBLIC KEY/);
    assert.ok(isSameKey(pkcs1, spki));
    assert.ok(!isSameKey(pkcs1, vectorKey("mastodon").publicKeyPem));
    assert.ok(!isSameKey(pkcs1, "nonsense"));
  });

  test("only public RSA and Ed25519 keys of a usual size are imported", () => {
    const pem = (key: {
      export(options: { format: "pem"; type: "spki" }): string | Buffer;
    }) => key.export({ format: "pem", type: "spki" }).toString();
    const small = generateKeyPairSync("rsa", { modulusLength: 512 });
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const secret = generateKeyPairSync("ed25519")
      .privateKey.export({ format: "pem", type: "pkcs8" })
      .toString();
    for (const text of [
      pem(small.publicKey),
      pem(curve.publicKey),
      secret,
      "",
      "x",
      "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    ]) {
      assert.throws(() => importPublicKey(text), { code: "unsupported" });
    }
  });
});

/** The key of a vector with another exponent, which OpenSSL would accept silently. */
function withExponent(exponent: bigint): string {
  const jwk = importPublicKey(vectorKey("mastodon").publicKeyPem).export({
    format: "jwk",
  });
  const digits = exponent.toString(16);
  const hex = digits.length % 2 === 0 ? digits : `0${digits}`;
  const e = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ key: { ...jwk, e }, format: "jwk" })
    .export({ type: "spki", format: "pem" })
    .toString();
}

describe("public exponents", () => {
  test("those in use are accepted", () => {
    for (const exponent of [3n, 5n, 17n, 35n, 37n, 257n, 65_537n])
      assert.ok(importPublicKey(withExponent(exponent)), String(exponent));
  });

  test("exponents that make each check expensive, and even ones, are refused", () => {
    for (const exponent of [
      ...[1n, 4n, 65_539n],
      ...[2n ** 32n - 1n, 2n ** 2040n + 1n],
    ]) {
      const pem = withExponent(exponent);
      assert.throws(() => importPublicKey(pem), { code: "unsupported" });
      assert.ok(!isPublicKey(pem), String(exponent));
    }
  });
});

describe("canonical JSON", () => {
  test("is the example of RFC 8785 §3.2", () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as Parameters<typeof canonicalize>[0];
    assert.equal(
      canonicalize(value),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test("sorts names by UTF-16 code units", () => {
    const names = [
      "\u20ac",
      "\r",
      "\ufb33",
      "1",
      "\ud83d\ude00",
      "\u0080",
      "\u00f6",
    ];
    const object = Object.fromEntries(names.map((name) => [name, 0]));
    assert.deepEqual(
      [...canonicalize(object).matchAll(/"([^"]+)":/g)].map(
        (match) => JSON.parse(`"${match[1] ?? ""}"`) as string,
      ),
      ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"],
    );
  });

  test("refuses text that UTF-8 cannot encode", () => {
    assert.throws(() => canonicalize({ a: "\ud800" }), { code: "unsupported" });
    assert.throws(() => canonicalize({ "\udfff": 1 }), { code: "unsupported" });
  });
});
