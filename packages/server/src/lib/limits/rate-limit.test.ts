import assert from "node:assert/strict";
import { test } from "node:test";
import { KithError } from "../errors.ts";
import { createLimits, NO_LIMITS } from "./limits.ts";
import { createRateLimit } from "./rate-limit.ts";

function playClock() {
  let nowMs = 1_000_000;
  const clock = { now: () => new Date(nowMs) };
  return { clock, pass: (ms: number) => (nowMs += ms) };
}

function limitOf(max: number, maxKeys?: number) {
  const { clock, pass } = playClock();
  const bounds = maxKeys === undefined ? {} : { maxKeys };
  const limit = createRateLimit({ clock, max, windowMs: 1000, ...bounds });
  return { limit, pass };
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

test("a returned token can be taken again, and asking counts nothing", () => {
  const { limit } = limitOf(2);
  assert.equal(limit.isSpent("a"), false);
  limit.take("a");
  limit.take("a");
  assert.equal(limit.isSpent("a"), true);
  limit.giveBack("a");
  assert.equal(limit.isSpent("a"), false);
  assert.equal(limit.take("a"), true);
  assert.equal(limit.take("a"), false);
  limit.forget("a");
  assert.equal(limit.take("a"), true);
  limit.giveBack("nobody");
  assert.equal(limit.isSpent("nobody"), false);
});

test("the seconds until a window ends are whole, and never none", () => {
  const { limit, pass } = limitOf(1);
  limit.take("a");
  assert.equal(limit.secondsLeft("a"), 1);
  pass(999);
  assert.equal(limit.secondsLeft("a"), 1);
  const long = createRateLimit({
    ...{ clock: playClock().clock, max: 1, windowMs: 60_500 },
  });
  long.take("a");
  assert.equal(long.secondsLeft("a"), 61);
});

test("made-up keys end nobody's window, and newcomers have theirs", () => {
  const { limit } = limitOf(5, 100);
  for (let times = 0; times < 5; times += 1) limit.take("busy");
  for (let times = 0; times < 3; times += 1) limit.take("moderate");
  for (let name = 0; name < 10_000; name += 1)
    assert.equal(limit.take(`made up ${name}`), true);
  assert.equal(limit.take("busy"), false);
  assert.deepEqual(
    ["moderate", "moderate", "moderate"].map((key) => limit.take(key)),
    [true, true, false],
  );
});

test("keys that are counted less than half as often as they may push out none that is spent", () => {
  const { limit } = limitOf(10);
  for (let times = 0; times < 10; times += 1) limit.take("busy");
  for (let name = 0; name < 30_000; name += 1)
    for (let times = 0; times < 4; times += 1) limit.take(`made up ${name}`);
  assert.equal(limit.isSpent("busy"), true);
});

test("a returned token leaves the window where it was", () => {
  const { limit, pass } = limitOf(4);
  for (let times = 0; times < 4; times += 1) limit.take("a");
  pass(600);
  for (let times = 0; times < 4; times += 1) limit.giveBack("a");
  assert.equal(limit.isSpent("a"), false);
  for (let times = 0; times < 4; times += 1) limit.take("a");
  assert.equal(limit.isSpent("a"), true);
  pass(400);
  assert.equal(limit.isSpent("a"), false);
});

test("windows that are over make room first", () => {
  const { limit, pass } = limitOf(4, 10);
  for (let name = 0; name < 10; name += 1)
    for (let times = 0; times < 4; times += 1) limit.take(`old ${name}`);
  pass(1000);
  for (let times = 0; times < 2; times += 1) limit.take("new");
  for (let name = 0; name < 9; name += 1) limit.take(`other ${name}`);
  assert.deepEqual(
    ["new", "new", "new"].map((key) => limit.take(key)),
    [true, true, false],
  );
});

test("limits are scaled, say when to come back, and are counted", () => {
  const { clock } = playClock();
  const refused: string[] = [];
  const limits = createLimits({
    clock,
    factor: 0.5,
    noteRefused: (name, by) => refused.push(`${name} by ${by}`),
  });
  const limit = limits.create("read", "address", { max: 4, windowMs: 30_000 });
  const few = limits.create("write", "address", { max: 1, windowMs: 30_000 });
  assert.deepEqual(
    [1, 2, 3].map(() => limit.take("a")),
    [true, true, false],
  );
  assert.ok(few.take("a"), "Less is not nothing");
  const error = limit.refuse("a");
  assert.ok(error instanceof KithError);
  assert.equal(error.code, "too_many_requests");
  assert.equal(error.retryAfterS, 30);
  assert.deepEqual(refused, ["read by address"]);
});

test("without limits everything is let through", () => {
  const limit = NO_LIMITS.create("read", "address", { max: 1, windowMs: 1 });
  for (let times = 0; times < 10; times += 1)
    assert.equal(limit.take("a"), true);
  assert.equal(limit.isSpent("a"), false);
});
