import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PollSchedule, FULL_SCAN } from "./poll-schedule.ts";

describe("looks at a queue", () => {
  function look(
    looks: PollSchedule,
    startedAtMs: number,
    { tookMs = 1, isEnough = true } = {},
  ): void {
    const endedAtMs = startedAtMs + tookMs;
    looks.record({ startedAtMs, endedAtMs, isEnough });
  }

  test("take one part in eight of the time, and wait half a second at the most", () => {
    const looks = new PollSchedule();
    assert.ok(looks.isDue(0, false), "nothing was looked at yet");
    look(looks, 1_000, { tookMs: 10 });
    assert.ok(!looks.isDue(1_079, true));
    assert.ok(looks.isDue(1_080, true));
    look(looks, 2_000, { tookMs: 400 });
    assert.ok(!looks.isDue(2_499, true));
    assert.ok(looks.isDue(2_500, true));
  });

  test("come sooner where half of the slots are free", () => {
    const looks = new PollSchedule();
    look(looks, 1_000, { tookMs: 0.1 });
    assert.ok(looks.isDue(1_002, true));
    assert.ok(!looks.isDue(1_002, false));
    assert.ok(looks.isDue(1_020, false));
  });

  test("go farther as long as they do not find enough, and no farther than needed", () => {
    const looks = new PollSchedule();
    assert.equal(looks.depth(10, 0), 20);
    look(looks, 0, { isEnough: false });
    assert.equal(looks.depth(10, 20), 80);
    look(looks, 20, { isEnough: false });
    assert.equal(looks.depth(10, 40), FULL_SCAN);
    look(looks, 40, { isEnough: true });
    assert.equal(looks.depth(10, 60), 20);
  });

  test("go to the end of a long line now and then only", () => {
    const looks = new PollSchedule();
    for (const atMs of [0, 20]) look(looks, atMs, { isEnough: false });
    assert.equal(looks.depth(10, 1_000), FULL_SCAN);
    look(looks, 1_000, { isEnough: false });
    assert.equal(looks.depth(10, 1_399), 80);
    look(looks, 1_399, { isEnough: false });
    assert.equal(looks.depth(10, 1_400), FULL_SCAN);
  });
});
