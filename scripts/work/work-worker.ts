import { hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import {
  assertLittleWork,
  type HostileReading,
  type Measured,
} from "./hostile-reading.ts";

/** From fuzz.ts: the module with `hostileReadings`, a list or a function that creates one. */
export type WorkJob = {
  readonly module: string;
  readonly seed: number;
  /** The duration. */
  readonly milliseconds: number;
};

export type WorkReport = {
  readonly measured: readonly Measured[];
  readonly faults: readonly string[];
  /** Shapes that were skipped for lack of time. */
  readonly left: number;
};

/** Random pairs of fillings. */
const PAIRS = 4;

type Module = {
  readonly hostileReadings:
    | readonly HostileReading[]
    | ((pairs: number, seed: number) => readonly HostileReading[]);
};

const { module, seed, milliseconds } = workerData as WorkJob;
const { hostileReadings } = (await import(module)) as Module;
const readings =
  typeof hostileReadings === "function"
    ? hostileReadings(PAIRS, seed)
    : hostileReadings;
const measured: Measured[] = [];
const faults: string[] = [];
const waiting = readings.flatMap((reading) =>
  Object.keys(reading.shapes).map((shape, at) => ({
    reading,
    shape,
    // In the order of the seed, so that each is eventually used.
    turn: hash("sha256", `${seed} ${reading.name} ${at}`),
  })),
);
waiting.sort((a, b) => (a.turn < b.turn ? 1 : -1));
const until = performance.now() + milliseconds;
for (
  let next = waiting.pop();
  next && performance.now() < until;
  next = waiting.pop()
)
  try {
    measured.push(await assertLittleWork(next.reading, next.shape));
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
const report: WorkReport = { measured, faults, left: waiting.length };
parentPort?.postMessage(report);
