import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzTargets } from "../test/fuzz-targets.ts";
import { seeded } from "../test/mutate.ts";

const SEED = 20_260_615;
const RUNS = 2000;
/** Far more than any input takes on a busy machine, and far less than a loop that does not end. */
const SLOW_MS = 5000;

for (const target of fuzzTargets) {
  test(`fuzz: ${target.name}`, async () => {
    const random = seeded(SEED);
    let understood = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const input = target.next(random);
      const start = performance.now();
      if (await target.run(input)) understood += 1;
      const tookMs = performance.now() - start;
      assert.ok(tookMs < SLOW_MS, `run ${run} took ${tookMs} ms`);
    }
    // An input that is never understood would test only the first check.
    assert.ok(understood > 0);
  });
}
