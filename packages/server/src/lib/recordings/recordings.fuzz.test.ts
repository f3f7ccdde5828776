import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { mutate, seeded } from "../../../../diaspora/test/mutate.ts";
import {
  readRecording,
  RECORDINGS,
  type RecordingName,
} from "../../../test/support/recordings.ts";
import { KithError, type ErrorCode } from "../errors.ts";
import { createRecordingProcessor } from "./recording-processor.ts";

const SEED = 20_261_125;
const RUNS = 300;
const REFUSALS: readonly ErrorCode[] = [
  "bad_request",
  "too_large",
  "unsupported_media_type",
];

describe("mutated recordings", () => {
  const recordings = createRecordingProcessor({
    limits: { maxBytes: 1024 * 1024, maxDurationMs: 60_000 },
  });
  after(() => recordings.close());

  for (const name of Object.keys(RECORDINGS) as RecordingName[])
    test(`of ${name} are written or refused, and the process lives on`, async () => {
      const random = seeded(SEED);
      const sample = readRecording(name);
      let written = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const input = Buffer.from(sample);
        // A few bits only: most of the file is still read.
        for (let times = 1 + random(6); times > 0; times -= 1) {
          const at = random(input.length);
          input[at] = (input[at] ?? 0) ^ (1 << random(8));
        }
        const mutant = random(3) === 0 ? mutate(sample, random) : input;
        try {
          const made = await recordings.process(mutant);
          written += 1;
          assert.ok(made.bytes.length <= 2 * mutant.length + 100_000);
          assert.ok(made.durationMs > 0 && made.durationMs <= 60_000);
        } catch (error) {
          assert.ok(
            error instanceof KithError && REFUSALS.includes(error.code),
            `run ${run}: ${String(error)}`,
          );
        }
      }
      // Where nothing is understood, nothing behind the first check is tried.
      assert.ok(written > 0);
    });
});
