import assert from "node:assert/strict";
import { test } from "node:test";
import { watchSpells } from "./tidy-memory.ts";

test("a spell of work is over in the first quiet stretch, once", () => {
  const isOver = watchSpells();
  const shares = [0, 0.01, 0.5, 1, 0.05, 0.01, 0, 0.05, 0, 0.2, 0.01, 0];
  assert.deepEqual(
    shares.flatMap((share, stretch) => (isOver(share) ? [stretch] : [])),
    [5, 10],
  );
});
