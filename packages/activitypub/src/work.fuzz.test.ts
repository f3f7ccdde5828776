import { test } from "node:test";
import { assertLittleWork } from "../../../scripts/work/hostile-reading.ts";
import { hostileReadings } from "../test/hostile-readings.ts";

const SEED = 20_261_123;
const PAIRS = 12;
/** `npm run fuzz:activitypub` uses the longest inputs, and more of them. */
const MOST_BYTES = 64 * 1024;

for (const reading of hostileReadings(PAIRS, SEED))
  test(`work: ${reading.name}`, async () => {
    for (const shape of Object.keys(reading.shapes))
      await assertLittleWork(reading, shape, MOST_BYTES);
  });
