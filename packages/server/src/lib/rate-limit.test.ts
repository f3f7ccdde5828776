import assert from "node:assert/strict";
import { test } from "node:test";
import { createRateLimit } from "./rate-limit.ts";

function limitOf(max: number) {
  let nowMs = 1_000_000;
  const clock = { now: () => new Date(nowMs) };
  const limit = createRateLimit({ clock, max, windowMs: 1000 });
  return { limit, pass: (ms: number) => (nowMs += ms) };
}

test("each key has its share of a window, and a new one after it", () => {
  const { limit, pass } = limitOf(2);
  assert.deepEqual(
    ["a", "a", "a", "b"].map((key) => limit.take(key)),
    [true, true, false, true],
  );
  pass(999);
  assert.equal(limit.take("a"), false);
  pass(1);
  assert.equal(limit.take("a"), true);
});

test("a limit of nothing lets nothing through", () => {
  assert.equal(limitOf(0).limit.take("a"), false);
});
