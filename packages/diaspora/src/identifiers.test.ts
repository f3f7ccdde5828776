import assert from "node:assert/strict";
import { test } from "node:test";
import { base64Decode, base64urlEncode } from "./envelopes/base64.ts";
import { isGuid, isHandle, normalizeHandle } from "./identifiers.ts";

test("a handle is trimmed, stripped of its prefix and lower-cased", () => {
  for (const text of [
    " Alice@Pod.example ",
    "acct:alice@pod.example",
    "@alice@pod.example",
    "ACCT:ALICE@POD.EXAMPLE",
  ]) {
    assert.equal(normalizeHandle(text), "alice@pod.example");
  }
});

test("a trailing line feed is part of neither handle nor guid", () => {
  assert.ok(!isHandle("alice@pod.example\n"));
  assert.ok(!isGuid("60223d3ac0c468687858266b84066e5c\n"));
});

test("a hostile handle takes linear time", () => {
  const start = performance.now();
  assert.ok(!isHandle(`a@${"a.".repeat(126)}!`));
  assert.ok(!isHandle(`a@${"-".repeat(252)}!`));
  assert.ok(!isHandle("a".repeat(1_000_000)));
  assert.ok(performance.now() - start < 1000);
});

test("base64 is decoded in both alphabets, with or without padding and white space", () => {
  const bytes = Buffer.from([0xfb, 0xff, 0xfe, 0x01]);
  for (const text of ["+//+AQ==", "-__-AQ==", "-__-AQ", " -__-\r\nAQ== "]) {
    assert.deepEqual(base64Decode(text), bytes);
  }
  assert.equal(base64urlEncode(bytes), "-__-AQ==");
  assert.deepEqual(base64Decode(""), Buffer.alloc(0));
  for (const text of [
    "A",
    "AAAAA",
    "AA=",
    "AAA==",
    "A=A=",
    "====",
    "AA==AA",
    "ä",
    "AA$=",
  ]) {
    assert.equal(base64Decode(text), undefined, text);
  }
});
