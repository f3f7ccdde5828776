import assert from "node:assert/strict";
import {
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
} from "node:crypto";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import { person, privateKeyOf, publicKeyOf } from "../../test/vectors.ts";
import {
  isSignatureOf,
  readPrivateKey,
  readPublicKey,
  signText,
  toSpkiPem,
} from "./keys.ts";

const PEM = person("alice").public_key_pem;

/** An SPKI key with any exponent, which OpenSSL would accept silently. */
function withExponent(exponent: bigint): string {
  const jwk = publicKeyOf("alice").export({ format: "jwk" });
  const digits = exponent.toString(16);
  const hex = digits.length % 2 === 0 ? digits : `0${digits}`;
  const e = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ key: { ...jwk, e }, format: "jwk" })
    .export({ type: "spki", format: "pem" })
    .toString();
}

test("SPKI and PKCS#1, with any white space around, are the same key", () => {
  const pkcs1 = publicKeyOf("alice").export({ type: "pkcs1", format: "pem" });
  for (const pem of [
    PEM,
    `\n  ${PEM} \n`,
    PEM.replaceAll("\n", "\r\n"),
    pkcs1.toString(),
  ]) {
    assert.equal(toSpkiPem(pem), PEM);
  }
});

test("a KeyObject is returned as it is", () => {
  const key = readPublicKey(PEM);
  assert.equal(readPublicKey(key), key);
});

test("the public half of a private KeyObject is taken", () => {
  assert.equal(toSpkiPem(privateKeyOf("alice")), PEM);
});

test("other keys than RSA of a usable size are refused", () => {
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
  const pss = generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey;
  const short = generateKeyPairSync("rsa", { modulusLength: 1016 }).publicKey;
  const pem = (key: typeof ec) =>
    key.export({ type: "spki", format: "pem" }).toString();
  const bad = [
    ec,
    pss,
    short,
    createSecretKey(Buffer.alloc(32)),
    pem(ec),
    pem(pss),
    pem(short),
  ];
  for (const key of [
    ...bad,
    withExponent(1n),
    withExponent(4n),
    "",
    "PEM",
    PEM.replace("MII", "AAA"),
  ]) {
    assert.throws(() => readPublicKey(key), fault("discovery", "bad_key"));
  }
});

test("exponents that are in use are accepted", () => {
  for (const exponent of [3n, 5n, 17n, 35n, 37n, 257n, 65_537n])
    assert.ok(readPublicKey(withExponent(exponent)), String(exponent));
});

test("an exponent that makes each check expensive is refused, in every key format", () => {
  for (const exponent of [65_539n, 2n ** 32n + 1n, 2n ** 2040n + 1n]) {
    const pem = withExponent(exponent);
    for (const key of [pem, createPublicKey(pem)])
      assert.throws(
        () => readPublicKey(key),
        fault("discovery", "bad_key"),
        String(exponent),
      );
  }
});

test("an overlong PEM is refused before it is parsed", () => {
  const long = PEM.replaceAll("\n", "\n".repeat(2000));
  assert.throws(() => readPublicKey(long), fault("discovery", "bad_key"));
});

test("a private key in PEM is no public key, and the other way round", () => {
  const secret = privateKeyOf("alice")
    .export({ type: "pkcs8", format: "pem" })
    .toString();
  assert.throws(() => readPublicKey(secret), fault("discovery", "bad_key"));
  assert.throws(
    () => readPrivateKey(PEM, "decrypt"),
    fault("decrypt", "bad_key"),
  );
  assert.throws(
    () => readPrivateKey(publicKeyOf("alice"), "decrypt"),
    fault("decrypt", "bad_key"),
  );
});

test("the error never contains the key", () => {
  assert.throws(
    () =>
      readPublicKey(
        "-----BEGIN PUBLIC KEY-----\nsecret\n-----END PUBLIC KEY-----",
      ),
    (error: Error) =>
      !error.message.includes("secret") && error.cause === undefined,
  );
});

test("only signed texts verify", async () => {
  const signature = await signText("Grüße", privateKeyOf("alice"));
  assert.ok(isSignatureOf("Grüße", signature, publicKeyOf("alice")));
  assert.ok(!isSignatureOf("Grüsse", signature, publicKeyOf("alice")));
  assert.ok(
    !isSignatureOf("Grüße", signature.subarray(1), publicKeyOf("alice")),
  );
  assert.ok(!isSignatureOf("Grüße", signature, publicKeyOf("bob")));
});

test("1024 bits, which old accounts still have, are enough", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 1024,
  });
  const signature = await signText("x", readPrivateKey(privateKey, "envelope"));
  assert.ok(isSignatureOf("x", signature, readPublicKey(publicKey)));
});
