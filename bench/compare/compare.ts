import path from "node:path";
import { leaveCore, withEmptyKith } from "../kit/kith-process.ts";
import { median } from "../kit/machine.ts";
import { openTimeline } from "../kit/reader.ts";
import { toTable } from "../kit/results.ts";
import { withPeople } from "./people.ts";
import {
  measureSlice,
  SLICES,
  type Build,
  type Cost,
  type Slice,
} from "./slices.ts";

const HERE = path.resolve(import.meta.dirname, "../..");
const SERVER_CORE = 0;
const MINUTES = 4;
/** The first round warms up, with so many slices in one, for V8's compiler. */
const WARM_UP = 4;
/** Of the normal distribution, for 95 %. */
const DEVIATIONS = 1.96;

/** The costs of one slice in one round: of this tree first, then of the others. */
type Costs = readonly Cost[];

/**
 * Compares this tree with others: all run at the same time on one processor, and receive slices of the same load in
 * turn. Other programs disturb all of them, so the ratios vary less than the figures.
 */
export async function benchCompare(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  const others = (options.get("against") ?? HERE).split(",");
  const trees = [HERE, ...others.map((tree) => path.resolve(tree))];
  const postgres = options.get("on") !== "sqlite";
  const minutes = Number(options.get("minutes") ?? MINUTES);
  leaveCore(SERVER_CORE);
  await withBuilds(trees, postgres, async (builds) => {
    const costs = await measureRounds(builds, minutes);
    console.log(
      toTable([
        ["against", "", "rounds", "processor", "95 %", "time", "95 %"],
        ...trees
          .slice(1)
          .flatMap((tree, other) =>
            SLICES.map((slice) => [
              path.basename(tree),
              slice.name,
              ...describeRatios(costs.get(slice) ?? [], other + 1),
            ]),
          ),
      ]),
    );
  });
}

async function withBuilds(
  trees: readonly string[],
  postgres: boolean,
  use: (builds: readonly Build[]) => Promise<void>,
  started: readonly Build[] = [],
): Promise<void> {
  const [tree, ...rest] = trees;
  if (tree === undefined) return use(started);
  await withEmptyKith({ tree, postgres, core: SERVER_CORE }, (kith) =>
    withPeople(kith, (people) =>
      withBuilds(rest, postgres, use, [...started, { kith, people }]),
    ),
  );
}

async function measureRounds(
  builds: readonly Build[],
  minutes: number,
): Promise<Map<Slice, Costs[]>> {
  await warmUp(builds);
  const costs = new Map<Slice, Costs[]>(SLICES.map((slice) => [slice, []]));
  const until = performance.now() + minutes * 60_000;
  for (let round = 0; performance.now() < until; round += 1)
    for (const slice of SLICES) {
      const { count } = slice;
      const from = (WARM_UP + round) * count;
      const isReversed = round % 2 === 1;
      const measured: Cost[] = [];
      for (const build of isReversed ? builds.toReversed() : builds)
        measured.push(await measureSlice(build, slice, { from, count }));
      if (isReversed) measured.reverse();
      costs.get(slice)?.push(measured);
      const line = measured.map((cost) => describeCost(cost, count));
      process.stderr.write(`${round}: ${slice.name}: ${line.join(" | ")}\n`);
    }
  return costs;
}

async function warmUp(builds: readonly Build[]): Promise<void> {
  for (const build of builds)
    for (const [index, slice] of SLICES.entries()) {
      const count = WARM_UP * slice.count;
      await measureSlice(build, slice, { from: 0, count });
      if (index > 0) continue;
      // The load is what it claims to be: a follower sees what was received.
      const timeline = await openTimeline(build.kith.baseUrl);
      await timeline.untilVisible(count, 0);
    }
}

function describeCost(
  { processorSeconds, seconds }: Cost,
  count: number,
): string {
  const ms = (value: number) => ((value * 1000) / count).toFixed(2);
  return `${ms(processorSeconds)} ms of processor, ${ms(seconds)} ms`;
}

/** The ratios of this tree to another one. */
function describeRatios(rounds: readonly Costs[], other: number): string[] {
  const ratios = (kind: keyof Cost) =>
    rounds.map(
      (costs) => (costs[0]?.[kind] ?? NaN) / (costs[other]?.[kind] ?? NaN),
    );
  return [
    String(rounds.length),
    ...describeSpread(ratios("processorSeconds")),
    ...describeSpread(ratios("seconds")),
  ];
}

/** The median, and the ratios between which it lies in 95 of 100 comparisons. */
function describeSpread(ratios: readonly number[]): string[] {
  const sorted = ratios.toSorted((a, b) => a - b);
  const reach = (DEVIATIONS / 2) * Math.sqrt(sorted.length);
  const low = Math.max(0, Math.floor(sorted.length / 2 - reach));
  const high = sorted.length - 1 - low;
  return [
    toPercent(median(sorted)),
    `${toPercent(sorted[low] ?? NaN)} to ${toPercent(sorted[high] ?? NaN)}`,
  ];
}

function toPercent(ratio: number): string {
  const percent = ((ratio - 1) * 100).toFixed(1).replace("-", "−");
  return ratio < 1 ? `${percent} %` : `+${percent} %`;
}
