import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzTargets } from "../test/fuzz-targets.ts";
import { seeded } from "../test/mutate.ts";

const SEED = 20_260_615;
const BUDGET_MS = 600;
/** Far more than any input takes on a busy machine, and far less than a loop that does not end. */
const SLOW_MS = 3000;

for (const target of fuzzTargets) {
  test(`fuzz: ${target.name}`, async () => {
    const random = seeded(SEED);
    const until = performance.now() + BUDGET_MS;
    let runs = 0;
    let refused = 0;
    for (let at = 0; at < until; runs += 1) {
      const input = target.next(random);
      const start = performance.now();
      if (!(await target.run(input))) refused += 1;
      at = performance.now();
      assert.ok(at - start < SLOW_MS, `run ${runs} took ${at - start} ms`);
    }
    assert.ok(runs >= 50, `${runs} runs`);
    assert.ok(refused > 0 && refused < runs, `${refused} of ${runs} refused`);
  });
}
