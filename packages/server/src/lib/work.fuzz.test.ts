import { test } from "node:test";
import { assertLittleWork } from "../../../../scripts/work/hostile-reading.ts";
import { hostileReadings } from "../../test/hostile-readings.ts";

/** `npm run fuzz:server` tries all shapes, as long as they get there. */
const MOST_BYTES = 8 * 1024;
const MOST_SHAPES = 20;

for (const reading of hostileReadings)
  test(`work: ${reading.name}`, async () => {
    const shapes = Object.keys(reading.shapes);
    const step = Math.ceil(shapes.length / MOST_SHAPES);
    for (const [at, shape] of shapes.entries())
      if (at % step === 0) await assertLittleWork(reading, shape, MOST_BYTES);
  });
