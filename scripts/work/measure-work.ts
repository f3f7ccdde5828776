import { Session } from "node:inspector";
import { countBuiltins } from "./counted-builtins.ts";

// Import this before what is measured: what V8 has compiled before is not counted in blocks.

type Coverage = {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
};

/** What counts is no part of the work. */
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
 * The work that something takes, whatever the machine and its load: how often each block of
 * JavaScript ran, ours and that of libraries, with the steps of expressions and the lengths
 * that built-in functions go over. Two runs of the same give the same.
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

/** What ran since it was asked last. */
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
