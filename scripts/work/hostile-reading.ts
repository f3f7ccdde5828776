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
export const MAX_WORK = 16_000_000;
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
  { name, maxBytes, shapes, run }: HostileReading,
  shape: string,
  mostBytes = maxBytes,
): Promise<Measured> {
  const make = shapes[shape] ?? assert.fail(`There is no ${shape}`);
  const bytes = Math.min(maxBytes, mostBytes);
  // Once before, so that nothing is counted which is only done once.
  await run(make(Math.min(bytes, 1000)));
  const [half, whole] = [make(bytes / 2), make(bytes)];
  const workOfHalf = await measureWork(() => run(half));
  const work = await measureWork(() => run(whole));
  const what = `${name}, ${shape}: ${work} for ${whole.length} bytes`;
  assert.ok(whole.length <= maxBytes, `${what}, above ${maxBytes}`);
  assert.ok(
    work <= NEGLIGIBLE || work <= workOfHalf * MAX_GROWTH,
    `${what}, ${workOfHalf} for half of it`,
  );
  assert.ok(work <= MAX_WORK, `${what}, above ${MAX_WORK}`);
  return { reading: name, shape, bytes: whole.length, work };
}

/** A text of about so many bytes that is one thing again and again. */
export function repeat(unit: string, bytes: number): string {
  return unit.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(unit))));
}
