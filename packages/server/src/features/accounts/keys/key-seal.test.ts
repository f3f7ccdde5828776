import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { test } from "node:test";
import type { UserId } from "../../ids.ts";
import { createKeySeal, KeyNotOpened, type KeyOwner } from "./key-seal.ts";
import { SERVER_KEY_NAME } from "../../../db/schema/columns/stored-names.ts";
import { openBytes, sealBytes } from "./seal.ts";

const ANN = 1 as UserId;
const BOB = 11 as UserId;
const OWNERS: readonly KeyOwner[] = [
  { userId: ANN, kind: "rsa" },
  { userId: ANN, kind: "ed25519" },
  { userId: BOB, kind: "rsa" },
  { userId: BOB, kind: "ed25519" },
  { server: SERVER_KEY_NAME },
  { server: "rsa of user 1" },
];
const owner: KeyOwner = { userId: ANN, kind: "rsa" };

const secretKey = randomBytes(32);
const seal = createKeySeal(secretKey);
const { privateKey } = generateKeyPairSync("ed25519");
const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;

test("a key is opened again, and its form says how it was sealed", () => {
  for (const [key, type] of [
    [privateKey, "pkcs8"],
    [rsa, "pkcs8"],
    [rsa, "pkcs1"],
  ] as const) {
    const text = String(key.export({ type: type as "pkcs8", format: "pem" }));
    const stored = seal.seal(text, owner);
    assert.match(stored, /^sealed:1:[A-Za-z0-9+/]+=*$/);
    if (type === "pkcs8") assert.ok(stored.length < text.length);
    assert.ok(seal.open(stored, owner).equals(key));
    assert.notEqual(seal.seal(text, owner), stored);
  }
});

test("a value sealed for one row opens in no other", () => {
  for (const one of OWNERS)
    for (const other of OWNERS) {
      const open = () => seal.open(seal.seal(pem, one), other);
      if (one === other) assert.ok(open().equals(privateKey));
      else assert.throws(open, KeyNotOpened);
    }
});

test("another secret opens nothing, nor does the secret used for something else", () => {
  const stored = seal.seal(pem, owner);
  assert.throws(
    () => createKeySeal(randomBytes(32)).open(stored, owner),
    KeyNotOpened,
  );
  const sealed = stored.slice("sealed:1:".length);
  assert.throws(() => openBytes(secretKey, sealed, ""));
  const unbound = `sealed:1:${sealBytes(secretKey, Buffer.from(pem), "")}`;
  assert.throws(() => seal.open(unbound, owner), KeyNotOpened);
});

test("a value that was changed, is in the clear or of another version is refused, and not shown", () => {
  const stored = seal.seal(pem, owner);
  const bytes = Buffer.from(stored.slice("sealed:1:".length), "base64");
  const changed = Array.from(bytes.keys(), (at) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return `sealed:1:${copy.toString("base64")}`;
  });
  for (const text of [
    ...changed,
    ...[pem, "", "sealed:1:", stored.slice(0, -8)],
    `sealed:1:${Buffer.concat([bytes, bytes]).toString("base64")}`,
    stored.replace("sealed:1:", "sealed:2:"),
  ])
    assert.throws(
      () => seal.open(text, owner),
      (error: Error) =>
        error instanceof KeyNotOpened &&
        error.cause === undefined &&
        error.message ===
          "The private key rsa of user 1 cannot be opened with this secret key",
    );
});
