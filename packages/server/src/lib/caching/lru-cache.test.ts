import assert from "node:assert/strict";
import { test } from "node:test";
import { createLruCache } from "./lru-cache.ts";

const START = Date.UTC(2026, 0, 1);

test("a full cache forgets what was used least recently, and nothing else", () => {
  const cache = createLruCache<string, number>({ max: 3 });
  for (const [at, key] of ["a", "b", "c"].entries()) cache.set(key, at);
  assert.equal(cache.get("a"), 0);
  assert.ok(cache.has("b"), "which is no use of it");
  cache.set("d", 3);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((key) => cache.get(key)),
    [0, undefined, 2, 3],
  );
  assert.ok(cache.delete("a"));
  assert.deepEqual([...cache.entries()].map(([key]) => key).sort(), ["c", "d"]);
  cache.clear();
  assert.deepEqual([...cache.entries()], []);
});

test("values in use stay, whatever is added beside them", () => {
  const cache = createLruCache<string, number>({ max: 100 });
  cache.set("known", 1);
  for (let name = 0; name < 20_000; name += 1) {
    cache.set(`made up ${name}`, name);
    if (name % 50 === 0) assert.equal(cache.get("known"), 1);
  }
  assert.equal([...cache.entries()].length, 100);
});

test("entries may be weighed, and one that is too heavy is not kept", () => {
  const cache = createLruCache<string, string>({
    max: 10,
    sizeOf: ({ length }) => length,
  });
  cache.set("a", "12345");
  cache.set("b", "12345");
  cache.set("c", "123");
  assert.deepEqual(
    ["a", "b", "c"].map((key) => cache.has(key)),
    [false, true, true],
  );
  cache.set("d", "12345678901");
  assert.deepEqual(
    ["b", "c", "d"].map((key) => cache.has(key)),
    [true, true, false],
  );
});

test("an entry lives as long as is said, by the clock that is given", () => {
  let nowMs = START;
  const clock = { now: () => new Date(nowMs) };
  const cache = createLruCache<string, number>({ max: 9, keepMs: 1000, clock });
  cache.set("usual", 1);
  cache.set("shorter", 2, 10);
  const left = () => ["usual", "shorter"].filter((key) => cache.has(key));
  nowMs += 9;
  assert.deepEqual(left(), ["usual", "shorter"]);
  nowMs += 1;
  assert.deepEqual(left(), ["usual"]);
  nowMs += 989;
  assert.equal(cache.get("usual"), 1, "and no longer because it is used");
  nowMs += 1;
  assert.equal(cache.get("usual"), undefined);
});

test("an entry does not live longer because the clock is set back", () => {
  let nowMs = START;
  const cache = createLruCache<string, number>({
    ...{ max: 9, keepMs: 1000 },
    clock: { now: () => nowMs },
  });
  cache.set("a", 1);
  nowMs -= 86_400_000;
  assert.equal(cache.get("a"), 1);
  nowMs += 1000;
  assert.equal(cache.get("a"), undefined);
});
