import { Session } from "node:inspector";
import { countBuiltins } from "./counted-builtins.ts";

// Import this before the measured code: V8 does not count blocks of code compiled earlier.

type Coverage = {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
};

/** Counting is not part of the work. */
const OWN = [new URL(".", import.meta.url).href, "/@eslint-community/regexpp/"];

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", {
  callCount: true,
  detailed: true,
});

const tally = { units: 0, isCounting: false };
countBuiltins(tally);

/**
 * Counts the work of a function, independently of the machine and its load: how often each
 * block of JavaScript ran, including libraries, with the steps of expressions and the lengths
 * processed by built-in functions. It is deterministic.
 */
export async function measureWork(run: () => unknown): Promise<number> {
  takeCounts();
  tally.units = 0;
  tally.isCounting = true;
  try {
    await run();
  } finally {
    tally.isCounting = false;
  }
  return Math.round(tally.units + takeCounts());
}

/** The blocks run since the last call. */
function takeCounts(): number {
  let sum = 0;
  session.post("Profiler.takePreciseCoverage", (error, coverage) => {
    if (error) throw error;
    for (const { url, functions } of (coverage as Coverage).result) {
      if (OWN.some((own) => url.includes(own))) continue;
      for (const { ranges } of functions)
        for (const { count } of ranges) sum += count;
    }
  });
  return sum;
}
