import { flushCompileCache } from "node:module";
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compileSooner } from "./compile-sooner.ts";

const AFTER_START_MS = 2_000;
const LOOK_EVERY_MS = 10_000;
/** Shares of the time in which the event loop had something to do. */
const BUSY = 0.1;
const QUIET = 0.02;
/** For so long it stays quiet: collecting also drops what V8 compiled, which the next spell would need. */
const QUIET_LOOKS = 3;

/**
 * Keeps the code compiled so far for the next start, from then on compiles sooner, and gives back the memory that
 * starting used up, and later what each spell of work used up as soon as that is
 * over: while nothing happens, V8 would hold it for hours.
 */
export function tidyMemory(): void {
  const collect = findCollector();
  flushCompileCache();
  compileSooner();
  setTimeout(collect, AFTER_START_MS).unref();
  const isOver = watchSpells();
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (isOver(utilization)) collect();
  }, LOOK_EVERY_MS).unref();
}

/**
 * Told for one stretch of time after the other in which share of it there was
 * something to do, says once after each spell of work that it is over: after the third
 * quiet one.
 */
export function watchSpells(): (share: number) => boolean {
  let wasBusy = false;
  let quietLooks = 0;
  return (share) => {
    if (share > BUSY) wasBusy = true;
    quietLooks = share > QUIET ? 0 : quietLooks + 1;
    if (!wasBusy || quietLooks < QUIET_LOOKS) return false;
    wasBusy = false;
    return true;
  };
}

/** V8's own, with `last-resort` it also gives the pages back to the system. */
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
