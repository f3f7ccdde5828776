import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  DELIVERY_LIFETIME_MS,
  GIVE_UP_PROBING_AFTER_MS,
  MIN_LIFETIME_MS,
  pauseAfter,
  probePause,
} from "./schedule.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const PAUSES = [
  5 * SECOND,
  15 * SECOND,
  45 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  8 * HOUR,
  ...Array.from({ length: 7 }, () => DAY),
];

describe("the schedule of deliveries", () => {
  test("quickly at first, then daily for a week, then no more", () => {
    for (const [index, pause] of PAUSES.entries())
      assert.equal(pauseAfter(index + 1, 0, 0.5), pause);
    const age = 7 * DAY;
    assert.equal(pauseAfter(PAUSES.length + 1, age, 0.5), undefined);
  });

  test("attempts out of turn make the pauses longer, and end nothing", () => {
    for (const attempts of [17, 18, 500])
      assert.equal(pauseAfter(attempts, HOUR, 0.5), DAY);
    const shortest = PAUSES.reduce((sum, pause) => sum + pause * 0.8, 0);
    assert.ok(MIN_LIFETIME_MS <= shortest);
    assert.ok(MIN_LIFETIME_MS > shortest - DAY);
    assert.equal(pauseAfter(1, DELIVERY_LIFETIME_MS + 1, 0.5), undefined);
  });

  test("each pause varies by a fifth", () => {
    for (const [index, pause] of PAUSES.entries()) {
      assert.equal(pauseAfter(index + 1, 0, 0), Math.round(pause * 0.8));
      const longest = pauseAfter(index + 1, 0, 0.999_999) ?? 0;
      assert.ok(longest > pause * 1.19 && longest <= pause * 1.2);
    }
  });

  test("a delivery lives as long as its longest pauses together", () => {
    const longest = PAUSES.reduce((sum, pause) => sum + pause * 1.2, 0);
    assert.ok(DELIVERY_LIFETIME_MS >= longest);
    assert.ok(DELIVERY_LIFETIME_MS < longest + DAY);
  });

  test("a failing host is probed often in its first hour, and for a month", () => {
    assert.equal(probePause(0), 5 * SECOND);
    assert.equal(probePause(MINUTE - 1), 5 * SECOND);
    assert.equal(probePause(MINUTE), 15 * SECOND);
    assert.equal(probePause(HOUR - 1), 15 * SECOND);
    assert.equal(probePause(HOUR), 5 * MINUTE);
    assert.equal(probePause(DAY), 30 * MINUTE);
    assert.equal(GIVE_UP_PROBING_AFTER_MS, 30 * DAY);
  });
});
