import { availableParallelism } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { type EventData, run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { root } from "../project-files.ts";
import { GroupEntries, type Group } from "./test-groups.ts";

const PROCESS_TIMEOUT_MS = 15 * 60 * 1000;

/** Loaded into each test process; the first resolves imports as in a server, the last checks the answers of the API. */
const PRELOADED = [
  "packages/server/bin/resolve-sources.cjs",
  "scripts/testing/untracked-promises.ts",
  "packages/server/test/support/server/watch-fetch.ts",
].map((file) => pathToFileURL(path.join(root, file)).href);

/** Test processes make much garbage and live shortly: V8's own sizes start at a megabyte and have it copied again and again. */
const YOUNG_GENERATION = [
  "--min-semi-space-size=32",
  "--max-semi-space-size=64",
];

type Summary = EventData.TestSummary;
type Counts = Pick<Summary["counts"], "tests" | "passed" | "skipped" | "todo">;

/** The result of a run, or of one of its lanes. */
export type Outcome = {
  readonly counts: Counts;
  readonly success: boolean;
  readonly empty: {
    /** Files in which no test ran. */
    readonly files: readonly string[];
    /** How many of them the counts have as a test that passed. */
    readonly counted: number;
  };
};

type LaneOptions = {
  readonly namePatterns: readonly string[];
  readonly signal: AbortSignal;
};

/** Runs the tests of processes, and writes their report. */
export async function runGroups(
  groups: readonly Group[],
  options: LaneOptions,
): Promise<Outcome> {
  const lanes = [
    // One more than there are processors: tests with several servers often wait.
    new Lane(
      groups.filter((it) => !it.waits),
      { ...options, atOnce: availableParallelism() + 1 },
    ),
    new Lane(
      groups.filter((it) => it.waits),
      { ...options, atOnce: 1 },
    ),
  ];
  const report = Readable.from(eventsInTurn(lanes)).compose(spec);
  for await (const text of report) process.stdout.write(String(text));
  return lanes.map((lane) => lane.end()).reduce(sumOf);
}

/** Test processes, so many at once. */
class Lane {
  readonly #entries: GroupEntries;
  readonly #stream: ReturnType<typeof run>;
  readonly #findEmpty: () => Outcome["empty"];
  #summary: Summary | undefined;

  constructor(
    groups: readonly Group[],
    options: LaneOptions & { readonly atOnce: number },
  ) {
    const { atOnce, namePatterns, signal } = options;
    this.#entries = new GroupEntries(groups);
    this.#stream = run({
      files: [...this.#entries.files],
      cwd: root,
      concurrency: atOnce,
      timeout: PROCESS_TIMEOUT_MS,
      signal,
      execArgv: [
        ...YOUNG_GENERATION,
        ...PRELOADED.flatMap((url) => ["--import", url]),
      ],
      ...(namePatterns.length > 0 && { testNamePatterns: [...namePatterns] }),
    });
    this.#stream.on("test:summary", (summary) => {
      if (summary.file === undefined) this.#summary = summary;
    });
    this.#findEmpty = watchForEmptyFiles(this.#stream, this.#entries);
  }

  get events(): AsyncIterable<TestEvent> {
    return this.#stream as AsyncIterable<TestEvent>;
  }

  /** To be called after the last event. */
  end(): Outcome {
    this.#entries.remove();
    if (!this.#summary) throw new Error("The test run ended without a summary");
    const { counts, success } = this.#summary;
    return { counts, success, empty: this.#findEmpty() };
  }
}

type TestEvent = {
  readonly type: string;
  readonly data: { readonly nesting?: number };
};

/** All lanes run meanwhile; the report has one after the other, without their sums. */
async function* eventsInTurn(lanes: readonly Lane[]) {
  for (const lane of lanes)
    for await (const event of lane.events)
      if (event.type !== "test:diagnostic" || event.data.nesting !== 0)
        yield event;
}

function sumOf(a: Outcome, b: Outcome): Outcome {
  return {
    counts: {
      tests: a.counts.tests + b.counts.tests,
      passed: a.counts.passed + b.counts.passed,
      skipped: a.counts.skipped + b.counts.skipped,
      todo: a.counts.todo + b.counts.todo,
    },
    success: a.success && b.success,
    empty: {
      files: [...a.empty.files, ...b.empty.files],
      counted: a.empty.counted + b.empty.counted,
    },
  };
}

/** A process in which no test ran is counted as a test that passed; a suite without a test passes. */
function watchForEmptyFiles(
  stream: ReturnType<typeof run>,
  entries: GroupEntries,
): () => Outcome["empty"] {
  const files: string[] = [];
  let counted = 0;
  let testsOfFile = 0;
  stream.on("test:pass", ({ name, nesting, details }) => {
    if (details.type !== "suite") testsOfFile += 1;
    if (nesting > 0) return;
    const alone = entries.filesOf(name);
    counted += alone.length;
    if (details.type === "suite" && testsOfFile === 0) files.push(name);
    files.push(...alone);
    testsOfFile = 0;
  });
  stream.on("test:fail", ({ nesting }) => {
    testsOfFile = nesting > 0 ? testsOfFile + 1 : 0;
  });
  return () => ({ files, counted });
}
