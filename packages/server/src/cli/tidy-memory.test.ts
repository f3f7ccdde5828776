import assert from "node:assert/strict";
import { test } from "node:test";
import { createBusyPeriodDetector } from "./tidy-memory.ts";

test("a spell of work is over in the third quiet stretch in a row, once", () => {
  const isOver = createBusyPeriodDetector();
  const quiet = [0, 0.01, 0];
  const shares = [...quiet, 0.5, 0.05, 0, 0, 0.03, ...quiet, 0, 1, ...quiet];
  assert.deepEqual(
    shares.flatMap((share, stretch) => (isOver(share) ? [stretch] : [])),
    [10, 15],
  );
});
