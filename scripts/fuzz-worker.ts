import { parentPort, workerData } from "node:worker_threads";

/** The instructions of fuzz.ts to its worker. */
export type FuzzJob = {
  /** Exports `fuzzTargets`, and `seeded`, unless a `mutate.ts` beside it does. */
  module: string;
  milliseconds: number;
  seed: number;
  slowMs: number;
  /** Shared: number of the run, length of the input. */
  state: Int32Array;
  /** Shared: the input. */
  input: Uint8Array;
};

export type FuzzReport =
  | { kind: "failed"; target: string; error: string }
  | { kind: "done"; targets: Statistics[] };

type Statistics = {
  name: string;
  count: number;
  understood: number;
  slowestMs: number;
};
type Random = (below: number) => number;
type Seeded = (seed: number) => Random;
type Target = {
  name: string;
  next(random: Random): Uint8Array;
  run(input: Uint8Array): Promise<boolean> | boolean;
};

const job = workerData as FuzzJob;
parentPort?.postMessage(await fuzz());

async function fuzz(): Promise<FuzzReport> {
  const module = (await import(job.module)) as {
    fuzzTargets: Target[];
    seeded?: Seeded;
  };
  const { fuzzTargets } = module;
  const seeded = module.seeded ?? (await importMutate()).seeded;
  const random = seeded(job.seed);
  const statistics = fuzzTargets.map(({ name }) => ({
    name,
    count: 0,
    understood: 0,
    slowestMs: 0,
  }));
  const until = performance.now() + job.milliseconds;
  // Round robin, so that the inputs do not depend on the speed of the machine.
  while (performance.now() < until) {
    for (const [at, target] of fuzzTargets.entries()) {
      const known = statistics[at];
      if (!known) continue;
      try {
        await runOnce(target, random, known);
      } catch (error) {
        return { kind: "failed", target: target.name, error: describe(error) };
      }
    }
  }
  return { kind: "done", targets: statistics };
}

function importMutate(): Promise<{ seeded: Seeded }> {
  const file = job.module.replace(/fuzz-targets\.ts$/, "mutate.ts");
  return import(file) as Promise<{ seeded: Seeded }>;
}

async function runOnce(
  target: Target,
  random: Random,
  known: Statistics,
): Promise<void> {
  const bytes = target.next(random).subarray(0, job.input.length);
  job.input.set(bytes);
  Atomics.store(job.state, 1, bytes.length);
  Atomics.add(job.state, 0, 1);
  const start = performance.now();
  if (await target.run(bytes)) known.understood += 1;
  const tookMs = performance.now() - start;
  known.count += 1;
  known.slowestMs = Math.max(known.slowestMs, tookMs);
  if (tookMs > job.slowMs) throw new Error(`It took ${tookMs} ms`);
}

function describe(error: unknown): string {
  return error instanceof Error
    ? (error.stack ?? error.message)
    : String(error);
}
