import assert from "node:assert/strict";
import { test } from "node:test";
import { createTtlCache } from "./ttl-cache.ts";

const START = Date.UTC(2026, 0, 1);

test("a cached value is read again after its time, and when it was changed", async () => {
  let nowMs = START;
  let stored = 1;
  const kept = createTtlCache(
    { now: () => new Date(nowMs) },
    5_000,
    async () => stored,
  );
  assert.equal(kept.peek(), undefined);
  assert.equal(await kept.get(), 1);
  stored = 2;
  nowMs += 4_999;
  assert.equal(await kept.get(), 1);
  assert.equal(kept.peek(), 1);
  nowMs += 1;
  assert.equal(kept.peek(), undefined);
  assert.equal(await kept.get(), 2);
  stored = 3;
  kept.forget();
  assert.equal(await kept.get(), 3);
  stored = 4;
  nowMs = START - 86_400_000;
  assert.equal(await kept.get(), 4, "the clock was set back");
});

test("a value read before a change is not kept after it", async () => {
  const reading = Promise.withResolvers<string>();
  const answers = [reading.promise, Promise.resolve("new")];
  const kept = createTtlCache(
    { now: () => new Date(START) },
    5_000,
    () => answers.shift() ?? assert.fail(),
  );
  const early = kept.get();
  kept.forget();
  reading.resolve("old");
  assert.equal(await early, "old");
  assert.equal(await kept.get(), "new");
  assert.equal(await kept.get(), "new");
});
