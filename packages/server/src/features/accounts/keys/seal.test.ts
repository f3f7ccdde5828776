import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createBoundSeal } from "./seal.ts";

const ROW = "column of table, row 1";
const secretKey = randomBytes(32);

/** For texts, all of one row. */
function sealWith(key: Uint8Array, purpose = "test") {
  const bound = createBoundSeal(key, purpose);
  return {
    seal: (secret: string) => bound.seal(Buffer.from(secret), ROW),
    open: (sealed: string, row = ROW) => bound.open(sealed, row).toString(),
  };
}

const seal = sealWith(secretKey);

test("any sealed value can be opened", () => {
  for (const secret of ["", "x", "ä🦌\0\n", "f".repeat(64), "x".repeat(10_000)])
    assert.equal(seal.open(seal.seal(secret)), secret);
});

test("the same secret is never sealed alike, and cannot be read", () => {
  const sealed = Array.from({ length: 100 }, () => seal.seal("secret"));
  assert.equal(new Set(sealed).size, 100);
  for (const text of sealed)
    assert.ok(!Buffer.from(text, "base64").includes("secret"));
});

test("another key does not open it", () => {
  const other = sealWith(randomBytes(32));
  assert.throws(() => other.open(seal.seal("secret")));
});

test("nor does the same key for another purpose, or in another row", () => {
  const other = sealWith(secretKey, "another test");
  assert.throws(() => other.open(seal.seal("secret")));
  assert.throws(() => seal.open(seal.seal("secret"), "row 11"));
});

test("nothing opens once a single bit of it was changed", () => {
  const bytes = Buffer.from(seal.seal("secret"), "base64");
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => seal.open(changed.toString("base64")), `byte ${at}`);
  }
});

test("a text that is too short does not open", () => {
  const whole = Buffer.from(seal.seal("secret"), "base64");
  for (let length = 0; length < whole.length; length++)
    assert.throws(() => seal.open(whole.toString("base64", 0, length)));
});
