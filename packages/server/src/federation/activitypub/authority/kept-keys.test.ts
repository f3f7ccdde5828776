import assert from "node:assert/strict";
import { test } from "node:test";
import type { KnownKey } from "./fetch-key.ts";
import { KeptKeys } from "./kept-keys.ts";

const keyOf = (id: number, knownAtMs = 0) =>
  ({ owner: { id }, knownAtMs }) as KnownKey;

test("a key is found by its id, until the keys of its owner are dropped", () => {
  const keys = new KeptKeys();
  keys.set("a#1", keyOf(1));
  keys.set("a#2", keyOf(1, 2));
  keys.set("b#1", keyOf(2));
  assert.equal(keys.get("a#1")?.owner.id, 1);
  assert.equal(keys.get("a#2")?.knownAtMs, 2);
  keys.deleteOf("1");
  assert.equal(keys.get("a#1"), undefined);
  assert.equal(keys.get("a#2"), undefined);
  assert.equal(keys.get("b#1")?.owner.id, 2);
  keys.set("a#2", keyOf(1, 3));
  assert.equal(keys.get("a#1"), undefined, "a key that was dropped stays so");
  assert.equal(keys.get("a#2")?.knownAtMs, 3);
  keys.clear();
  assert.equal(keys.get("b#1"), undefined);
});

test("a key that has changed hands belongs to its new owner", () => {
  const keys = new KeptKeys();
  keys.set("a#1", keyOf(1));
  keys.set("a#1", keyOf(2));
  keys.deleteOf("1");
  assert.equal(keys.get("a#1")?.owner.id, 2);
  keys.deleteOf("2");
  assert.equal(keys.get("a#1"), undefined);
});

test("the keys of those who sign most rarely go first, however many one owner has", () => {
  const keys = new KeptKeys(3);
  keys.set("a#1", keyOf(1));
  for (const name of ["b#1", "b#2", "b#3"]) keys.set(name, keyOf(2));
  assert.equal(keys.get("a#1"), undefined);
  assert.equal(keys.get("b#3")?.owner.id, 2);
});
