import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzTargets, seeded } from "../../test/fuzz-targets.ts";

const SEED = 20_261_122;
const RUNS = 1500;
/** Each goes to a process of its own, and is decoded there and written anew in five sizes. */
const RUNS_OF_PICTURES = 150;
/** Far more than any input takes on a busy machine, and far less than a loop that does not end. */
const SLOW_MS = 15_000;

for (const target of fuzzTargets) {
  test(`fuzz: ${target.name}`, async () => {
    const random = seeded(SEED);
    const runs = target.name === "picture" ? RUNS_OF_PICTURES : RUNS;
    let understood = 0;
    for (let run = 0; run < runs; run += 1) {
      const input = target.next(random);
      const start = performance.now();
      if (await target.run(input)) understood += 1;
      const tookMs = performance.now() - start;
      assert.ok(tookMs < SLOW_MS, `run ${run} took ${tookMs} ms`);
    }
    // Where nothing is understood, nothing behind the first check is tried.
    assert.ok(understood > 0);
  });
}
