import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { FuzzJob, FuzzReport } from "./fuzz-worker.ts";
import { root } from "./project-files.ts";
import type { WorkJob, WorkReport } from "./work/work-worker.ts";

// npm run fuzz:<package> -- [--minutes N] [--seed N] [--slow-seconds N] [--work only]
//
// First it counts, for the same number of minutes, the work for the longest hostile inputs of
// `<package>/test/hostile-readings.ts`, prints the most expensive ones, and fails if any exceeds its
// bound. `--work only` does no more.
//
// Then it passes mutated inputs to everything in `<package>/test/fuzz-targets.ts`, in a
// worker, so that an endless loop is found as well. The first failure ends the run; its
// input and seed are kept.

const INPUT_BYTES = 8 * 1024 * 1024;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string" },
    "slow-seconds": { type: "string", default: "20" },
    work: { type: "string" },
  },
});
const [target] = positionals;
const minutes = Number(values.minutes);
const slowSeconds = Number(values["slow-seconds"]);
const seed = Number(values.seed ?? process.hrtime.bigint() % 1_000_000_007n);
if (
  !target ||
  !(minutes > 0) ||
  !(slowSeconds > 0) ||
  !Number.isInteger(seed)
) {
  console.error("fuzz.ts <folder of a package> [--minutes N] [--seed N]");
  process.exit(2);
}

await countWork(target);
if (values.work === "only") process.exit();

/** The number of the run, the length of its input and the input, which survive a worker that hangs. */
const state = new Int32Array(new SharedArrayBuffer(8));
const input = new Uint8Array(new SharedArrayBuffer(INPUT_BYTES));
const job: FuzzJob = {
  module: path.resolve(root, target, "test/fuzz-targets.ts"),
  milliseconds: minutes * 60_000,
  seed,
  slowMs: slowSeconds * 1000,
  state,
  input,
};
console.log(`${target}: seed ${seed}, ${minutes} minutes`);
const worker = new Worker(new URL("fuzz-worker.ts", import.meta.url), {
  workerData: job,
});

let seenRun = -1;
let seenAt = performance.now();
const watch = setInterval(() => {
  const run = Atomics.load(state, 0);
  if (run !== seenRun) {
    seenRun = run;
    seenAt = performance.now();
  } else if (performance.now() - seenAt > job.slowMs) {
    fail(`It did not end within ${slowSeconds} s`);
  }
}, 200);

worker.on("error", (error) => fail(`The worker failed: ${String(error)}`));
worker.on("message", (report: FuzzReport) => {
  if (report.kind === "failed") {
    fail(`${report.target}: ${report.error}`);
    return;
  }
  clearInterval(watch);
  let runs = 0;
  for (const { name, count, understood, slowestMs } of report.targets) {
    runs += count;
    console.log(
      `${name}: ${count} runs, ${understood} understood, slowest ${slowestMs.toFixed(0)} ms`,
    );
  }
  const idle = report.targets.filter(({ count }) => count === 0);
  if (idle.length > 0) process.exitCode = 1;
  console.log(`${runs} runs, ${idle.length} targets never run, 0 failures`);
});

function fail(what: string): void {
  clearInterval(watch);
  const length = Atomics.load(state, 1);
  const folder = mkdtempSync(path.join(tmpdir(), "kith-fuzz-"));
  const file = path.join(folder, "input");
  writeFileSync(file, Buffer.from(input.subarray(0, length)));
  console.error(what);
  console.error(
    `Run ${Atomics.load(state, 0)} of seed ${seed}; the input is in ${file}`,
  );
  process.exitCode = 1;
  void worker.terminate();
}

/** In its own thread, because counting slows everything down. */
async function countWork(folder: string): Promise<void> {
  const module = path.resolve(root, folder, "test/hostile-readings.ts");
  if (!existsSync(module)) return;
  const job: WorkJob = { module, seed, milliseconds: minutes * 60_000 };
  const counting = new Worker(new URL("work/work-worker.ts", import.meta.url), {
    workerData: job,
  });
  const [report] = (await once(counting, "message")) as [WorkReport];
  await counting.terminate();
  const most = report.measured.toSorted((a, b) => b.work - a.work).slice(0, 10);
  for (const { reading, shape, bytes, work } of most)
    console.log(`${reading}, ${shape}: ${work} for ${bytes} bytes`);
  const { measured, faults, left } = report;
  for (const fault of faults) console.error(fault);
  console.log(
    `${measured.length} within their bounds, ${faults.length} above, ${left} not tried`,
  );
  if (report.faults.length > 0) process.exitCode = 1;
}
