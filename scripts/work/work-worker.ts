import { parentPort, workerData } from "node:worker_threads";
import {
  assertLittleWork,
  type HostileReading,
  type Measured,
} from "./hostile-reading.ts";

/** Of what fuzz.ts asks: where `hostileReadings` stands, a list or a function that makes one. */
export type WorkJob = { readonly module: string; readonly seed: number };

export type WorkReport = {
  readonly measured: readonly Measured[];
  readonly faults: readonly string[];
};

/** Pairs of fillings that chance puts together. */
const PAIRS = 4;

type Module = {
  readonly hostileReadings:
    | readonly HostileReading[]
    | ((pairs: number, seed: number) => readonly HostileReading[]);
};

const { module, seed } = workerData as WorkJob;
const { hostileReadings } = (await import(module)) as Module;
const readings =
  typeof hostileReadings === "function"
    ? hostileReadings(PAIRS, seed)
    : hostileReadings;
const measured: Measured[] = [];
const faults: string[] = [];
for (const reading of readings)
  for (const shape of Object.keys(reading.shapes))
    try {
      measured.push(await assertLittleWork(reading, shape));
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
parentPort?.postMessage({ measured, faults } satisfies WorkReport);
