import { test } from "node:test";
import { assertLittleWork } from "../../../scripts/work/hostile-reading.ts";
import { hostileReadings } from "../test/hostile-readings.ts";

/** `npm run fuzz:diaspora` uses the longest inputs. */
const MOST_BYTES = 64 * 1024;

for (const reading of hostileReadings)
  test(`work: ${reading.name}`, async () => {
    for (const shape of Object.keys(reading.shapes))
      await assertLittleWork(reading, shape, MOST_BYTES);
  });
