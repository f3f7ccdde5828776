import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const AFTER_MS = 2_000;

/**
 * Keeps the code compiled so far for the next start, and gives back the memory
 * that starting used up: while nothing happens, V8 would hold it for hours.
 */
export function tidyAfterStart(): void {
  setTimeout(() => {
    flushCompileCache();
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as Collect;
    setFlagsFromString("--no-expose-gc");
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
  }, AFTER_MS).unref();
}

/** V8's own, with `last-resort` it also gives the pages back to the system. */
type Collect = (options: {
  type: "major";
  execution: "sync";
  flavor: "last-resort";
}) => void;
