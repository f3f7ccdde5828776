import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { systemClock } from "../time/clock.ts";
import { createLimits } from "./limits.ts";
import { createSharedCounts } from "./shared-counts.ts";

const GATHERED_MS = 250;

/** Two processes that hear each other, and what they send. */
function connect() {
  const listeners: ((text: string) => void)[] = [];
  const sent: string[] = [];
  const create = (place: number) =>
    createLimits({
      clock: systemClock,
      factor: 1,
      shared: createSharedCounts({
        send: (text) => {
          sent.push(text);
          listeners[1 - place]?.(text);
        },
        receive: (listener) => (listeners[place] = listener),
      }),
    });
  return { sent, here: create(0), there: create(1) };
}

const SHARE = { max: 3, windowMs: 60_000 };

test("each process counts the changes in the other one, too", async () => {
  const { here, there, sent } = connect();
  const [mine, theirs] = [
    here.create("a", "address", SHARE),
    there.create("a", "address", SHARE),
  ];
  assert.ok(mine.take("k") && mine.take("k"));
  await sleep(GATHERED_MS);
  assert.equal(sent.length, 1);
  assert.ok(theirs.take("k"));
  assert.ok(!theirs.take("k"));
  assert.ok(theirs.take("another"));
  await sleep(GATHERED_MS);
  assert.ok(mine.isSpent("k"));
  mine.giveBack("k");
  await sleep(GATHERED_MS);
  assert.ok(theirs.take("k"));
  mine.forget("k");
  await sleep(GATHERED_MS);
  assert.deepEqual(theirs.stateOf("k")?.left, 3);
});

test("limits of the same name are counted apart, in the order of their making", async () => {
  const { here, there } = connect();
  const [first, second] = [0, 1].map(() => here.create("a", "address", SHARE));
  const others = [0, 1].map(() => there.create("a", "address", SHARE));
  for (let n = 0; n < 3; n += 1) first?.take("k");
  await sleep(GATHERED_MS);
  assert.ok(others[0]?.isSpent("k"));
  assert.ok(!others[1]?.isSpent("k") && !second?.isSpent("k"));
});

test("many keys go in notices that PostgreSQL can send", async () => {
  const { here, there, sent } = connect();
  const mine = here.create("a", "address", SHARE);
  const theirs = there.create("a", "address", SHARE);
  const keys = Array.from({ length: 1_000 }, (_, n) => `"ä${n}`);
  for (const key of keys) mine.take(key);
  mine.take("x".repeat(10_000));
  await sleep(GATHERED_MS);
  assert.ok(sent.length > 1);
  for (const text of sent) assert.ok(Buffer.byteLength(text) < 7_500);
  for (const key of keys) assert.equal(theirs.stateOf(key)?.left, 2);
});
