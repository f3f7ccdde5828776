import assert from "node:assert/strict";
import { test } from "node:test";
import { ClockWatch } from "./clock-watch.ts";

test("a step back is noticed once, a correction or a step forward never", () => {
  let [wallMs, elapsedMs] = [1_000_000, 0];
  const watch = new ClockWatch(
    { now: () => new Date(wallMs) },
    () => elapsedMs,
  );
  const after = (wall: number, elapsed: number): boolean => {
    wallMs += wall;
    elapsedMs += elapsed;
    return watch.wasSetBack();
  };
  assert.equal(after(1_000, 1_000), false);
  assert.equal(after(-30_000, 1_000), false);
  assert.equal(after(86_400_000, 1_000), false);
  assert.equal(after(-86_400_000, 1_000), true);
  assert.equal(after(1_000, 1_000), false);
});
