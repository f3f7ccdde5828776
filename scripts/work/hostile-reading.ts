import assert from "node:assert/strict";
import { measureWork } from "./measure-work.ts";

/** A reader of untrusted input, with inputs that could cost it more than their length. */
export type HostileReading = {
  readonly name: string;
  /** The length limit of its inputs. */
  readonly maxBytes: number;
  /** Inputs of about this many bytes, by their long, many or deep part. */
  readonly shapes: Readonly<Record<string, (bytes: number) => Uint8Array>>;
  /** It must refuse unsupported input with our error. */
  readonly run: (input: Uint8Array) => unknown;
};

/**
 * The bound for reading one message, in the units of `measureWork`. A unit is between a
 * nanosecond (a step of an expression) and a hundredth of a microsecond (creating a member
 * of an object), so that this is some 50 ms on today's machines.
 */
export const MAX_WORK = 20_000_000;
/** Slightly more than twice: some work is constant, and lists grow in steps. */
const MAX_GROWTH = 2.5;
/** Below this its growth does not matter. */
const NEGLIGIBLE = 100_000;

export type Measured = {
  readonly reading: string;
  readonly shape: string;
  readonly bytes: number;
  readonly work: number;
};

/**
 * Fails if an input of twice the length takes much more than twice the work, or if the
 * longest one exceeds {@link MAX_WORK}.
 * @param mostBytes the length of the tested inputs, if longer ones are possible
 */
export async function assertLittleWork(
  reading: HostileReading,
  shape: string,
  mostBytes = reading.maxBytes,
): Promise<Measured> {
  const { name, maxBytes, run } = reading;
  const bytes = Math.min(maxBytes, mostBytes);
  // Run once first, so that one-time work is not counted.
  await run(makeInput(reading, shape, Math.min(bytes, 1000)));
  const { work, length } = await measure(reading, shape, bytes);
  const what = `${name}, ${shape}: ${work} for ${length} bytes`;
  assert.ok(length <= maxBytes, `${what}, above ${maxBytes}`);
  assert.ok(work <= MAX_WORK, `${what}, above ${MAX_WORK}`);
  if (work > NEGLIGIBLE) {
    const half = await measure(reading, shape, bytes / 2);
    // At a bound it grows faster than its length once; so check another step, too.
    const isSteep = work > half.work * MAX_GROWTH;
    const [less, more] = !isSteep
      ? [half.work, work]
      : bytes * 2 <= maxBytes
        ? [work, (await measure(reading, shape, bytes * 2)).work]
        : [(await measure(reading, shape, bytes / 4)).work, half.work];
    assert.ok(
      more <= less * MAX_GROWTH,
      `${what}, ${half.work} for half of it`,
    );
  }
  return { reading: name, shape, bytes: length, work };
}

async function measure(reading: HostileReading, shape: string, bytes: number) {
  const input = makeInput(reading, shape, bytes);
  const work = await measureWork(() => reading.run(input));
  return { work, length: input.length };
}

function makeInput(
  { shapes }: HostileReading,
  shape: string,
  bytes: number,
): Uint8Array {
  const make = shapes[shape] ?? assert.fail(`There is no ${shape}`);
  return make(Math.floor(bytes));
}

/** A text of about this many bytes that repeats one string. */
export function repeat(unit: string, bytes: number): string {
  return unit.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(unit))));
}
