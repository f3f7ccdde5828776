import assert from "node:assert/strict";
import { measureWork } from "./measure-work.ts";

/** Something that reads what strangers send, with inputs that could cost it more than their length. */
export type HostileReading = {
  readonly name: string;
  /** No longer input gets there. */
  readonly maxBytes: number;
  /** Inputs of about so many bytes, by what is long, many or deep in them. */
  readonly shapes: Readonly<Record<string, (bytes: number) => Uint8Array>>;
  /** What it does not understand, it refuses as agreed. */
  readonly run: (input: Uint8Array) => unknown;
};

/**
 * What reading one message may take, in the units of `measureWork`. One is a
 * nanosecond (a step of an expression) to a hundredth of a microsecond (a member of
 * an object is made), so that this is some 50 ms on the machines of today.
 */
export const MAX_WORK = 20_000_000;
/** A little more than twice: some work is done in any case, and lists grow by leaps. */
const MAX_GROWTH = 2.5;
/** Below this nobody notices how it grows. */
const NEGLIGIBLE = 100_000;

export type Measured = {
  readonly reading: string;
  readonly shape: string;
  readonly bytes: number;
  readonly work: number;
};

/**
 * Fails where an input that is twice as long takes much more than twice the work, or
 * the longest one more than {@link MAX_WORK}.
 * @param mostBytes how long the inputs are that are tried, where longer ones get there
 */
export async function assertLittleWork(
  reading: HostileReading,
  shape: string,
  mostBytes = reading.maxBytes,
): Promise<Measured> {
  const { name, maxBytes, run } = reading;
  const bytes = Math.min(maxBytes, mostBytes);
  // Once before, so that nothing is counted which is only done once.
  await run(makeInput(reading, shape, Math.min(bytes, 1000)));
  const { work, length } = await measure(reading, shape, bytes);
  const what = `${name}, ${shape}: ${work} for ${length} bytes`;
  assert.ok(length <= maxBytes, `${what}, above ${maxBytes}`);
  assert.ok(work <= MAX_WORK, `${what}, above ${MAX_WORK}`);
  if (work > NEGLIGIBLE) {
    const half = await measure(reading, shape, bytes / 2);
    // Where a bound is reached, it grows by more than its length once; so another step counts, too.
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

/** A text of about so many bytes that is one thing again and again. */
export function repeat(unit: string, bytes: number): string {
  return unit.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(unit))));
}
