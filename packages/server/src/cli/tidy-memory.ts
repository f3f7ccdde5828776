import { flushCompileCache } from "node:module";
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const AFTER_START_MS = 2_000;
const SAMPLE_EVERY_MS = 10_000;
/** Shares of the time in which the event loop was busy. */
const BUSY = 0.1;
const QUIET = 0.02;
/**
 * So many quiet samples come first: a collection also drops compiled code,
 * which the next busy period would need.
 */
const QUIET_SAMPLES = 3;

/**
 * Saves the code cache for the next start, and returns unused memory to the
 * system after the start and after each busy period: an idle V8 would hold it
 * for hours.
 */
export function tidyMemory(): void {
  const collect = findCollector();
  flushCompileCache();
  setTimeout(collect, AFTER_START_MS).unref();
  const isOver = createBusyPeriodDetector();
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (isOver(utilization)) collect();
  }, SAMPLE_EVERY_MS).unref();
}

/**
 * Detects the end of a busy period from the busy share of each sample: true
 * once, at the third quiet sample after it.
 */
export function createBusyPeriodDetector(): (share: number) => boolean {
  let wasBusy = false;
  let quietLooks = 0;
  return (share) => {
    if (share > BUSY) wasBusy = true;
    quietLooks = share > QUIET ? 0 : quietLooks + 1;
    if (!wasBusy || quietLooks < QUIET_SAMPLES) return false;
    wasBusy = false;
    return true;
  };
}

/** V8's own; with `last-resort` it also returns pages to the system. */
type Collect = (options: {
  type: "major";
  execution: "sync";
  flavor: "last-resort";
}) => void;

function findCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  setFlagsFromString("--no-expose-gc");
  return () =>
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
