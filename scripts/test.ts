import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import path from "node:path";
import { type EventData, run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { AnswerLog, summarizeAnswers } from "./testing/test-answers.ts";
import { CostLog } from "./testing/test-costs.ts";
import { findChromium } from "./testing/test-chromium.ts";
import { findTestFiles } from "./testing/test-files.ts";
import { GroupEntries, groupFiles } from "./testing/test-groups.ts";
import { createTestKeys, type TestKeys } from "./testing/test-keys.ts";
import { findDatabaseFolder } from "./testing/test-memory.ts";
import { startPostgres, type TestPostgres } from "./testing/test-postgres.ts";
import { createTemplates, type Templates } from "./testing/test-templates.ts";
import { root } from "./project-files.ts";

// npm test [-- path, folder or glob …] [-- --test-name-pattern=words] [-- --both-databases] [-- --long] [-- --costs]

const PROCESS_TIMEOUT_MS = 15 * 60 * 1000;

/** Most processes load all of Kith: what was compiled once is kept. */
process.env.NODE_COMPILE_CACHE ??= path.join(
  root,
  "node_modules/.cache/kith-tests",
);

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
type Outcome = Summary & { empty: Empty; mayBeEmpty: boolean };
type Empty = {
  /** Files in which no test ran. */
  readonly files: readonly string[];
  /** How many of them the summary counts as a test that passed. */
  readonly counted: number;
};
type Wanted = {
  readonly files: string[];
  readonly namePatterns: string[];
  readonly bothDatabases: boolean;
  readonly costs: boolean;
};

const interrupted = new AbortController();
const INTERRUPTS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [signal, code] of Object.entries(INTERRUPTS))
  process.on(signal, () => {
    process.exitCode = code;
    interrupted.abort();
  });

const wanted = readArguments(process.argv.slice(2));
let postgres: TestPostgres | undefined;
let templates: Templates | undefined;
let keys: TestKeys | undefined;
const answers = new AnswerLog();
process.env.KITH_TEST_ANSWERS = answers.file;
const costs = wanted.costs ? new CostLog() : undefined;
if (costs) process.env.KITH_TEST_COSTS = costs.file;
process.env.KITH_TEST_DATABASE_FOLDER = findDatabaseFolder();
try {
  provideBrowser();
  [postgres, keys] = await Promise.all([
    provideDatabase(),
    createTestKeys(),
    bundleServer(),
  ]);
  templates = await createTemplates(process.env.KITH_TEST_DATABASE_URL);
  if (!interrupted.signal.aborted) report(await runTests(wanted));
} finally {
  await templates?.remove();
  await postgres?.stop();
  keys?.remove();
  answers.remove();
  costs?.remove();
}

function readArguments(args: string[]): Wanted {
  const flag = "--test-name-pattern=";
  const names = args.filter((arg) => arg.startsWith(flag));
  const options = ["--long", "--both-databases", "--costs"];
  const isLong = args.includes("--long");
  if (isLong) process.env.KITH_TEST_LONG = "1";
  const paths = args.filter(
    (arg) => !arg.startsWith(flag) && !options.includes(arg),
  );
  const unknown = paths.find((arg) => arg.startsWith("-"));
  try {
    if (unknown) throw new Error(`There is no option ${unknown}`);
    return {
      files: findTestFiles(paths),
      namePatterns: names.map((it) => it.slice(flag.length)),
      // The files that somebody names are few.
      bothDatabases:
        isLong || paths.length > 0 || args.includes("--both-databases"),
      costs: args.includes("--costs"),
    };
  } catch (error) {
    console.error(messageOf(error));
    process.exit(1);
  }
}

async function provideDatabase(): Promise<TestPostgres | undefined> {
  if (process.env.KITH_TEST_DATABASE_URL) return undefined;
  try {
    const started = await startPostgres({ socket: true });
    process.env.KITH_TEST_DATABASE_URL = started.url;
    return started;
  } catch (error) {
    console.error(
      `No PostgreSQL for the tests that need one: ${messageOf(error)}. ` +
        `Name a PostgreSQL 18 in KITH_TEST_DATABASE_URL (postgres://superuser:password@host/postgres).`,
    );
    return undefined;
  }
}

/** Tests start hundreds of servers, which are faster from a bundle. */
async function bundleServer(): Promise<void> {
  const script = path.join(root, "scripts/bundle-server.ts");
  await promisify(execFile)(process.execPath, [script]);
}

function provideBrowser(): void {
  if (process.env.KITH_TEST_BROWSER) return;
  try {
    process.env.KITH_TEST_BROWSER = findChromium();
  } catch (error) {
    console.error(
      `No browser for the tests that need one: ${messageOf(error)}. ` +
        `Name the program of a Chromium or Chrome in KITH_TEST_BROWSER.`,
    );
  }
}

async function runTests({
  files,
  namePatterns,
  bothDatabases,
}: Wanted): Promise<Outcome> {
  const hasPatterns = namePatterns.length > 0;
  // The name of a file, which is that of its suite in a group, may match a pattern.
  const groups = groupFiles(files, { bothDatabases, shared: !hasPatterns });
  const entries = new GroupEntries(groups);
  const stream = run({
    files: [...entries.files],
    cwd: root,
    // One more than there are processors: tests with several servers often wait.
    concurrency: availableParallelism() + 1,
    timeout: PROCESS_TIMEOUT_MS,
    signal: interrupted.signal,
    execArgv: [
      ...YOUNG_GENERATION,
      ...PRELOADED.flatMap((url) => ["--import", url]),
    ],
    ...(hasPatterns ? { testNamePatterns: namePatterns } : {}),
  });
  let total: Summary | undefined;
  stream.on("test:summary", (summary) => {
    if (summary.file === undefined) total = summary;
  });
  const findEmpty = watchForEmptyFiles(stream, entries);
  for await (const text of stream.compose(spec))
    process.stdout.write(String(text));
  entries.remove();
  if (!total) throw new Error("The test run ended without a summary");
  return { ...total, empty: findEmpty(), mayBeEmpty: hasPatterns };
}

/** A process in which no test ran is counted as a test that passed; a suite without a test passes. */
function watchForEmptyFiles(
  stream: ReturnType<typeof run>,
  entries: GroupEntries,
): () => Empty {
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

/** The last line of a run, and its exit code. */
function report({ counts, success, empty, mayBeEmpty }: Outcome): void {
  const tests = counts.tests - empty.counted;
  const passed = counts.passed - empty.counted;
  if (!mayBeEmpty)
    for (const file of empty.files) console.error(`No test in ${file}`);
  if (tests === 0) console.error("No test ran, which is a failure.");
  if (counts.skipped + counts.todo > 0)
    console.error("A test that is skipped or to do counts as failed.");
  const isWhole = mayBeEmpty || empty.files.length === 0;
  const seen = summarizeAnswers(answers.read());
  for (const line of seen.lines) console.log(line);
  for (const line of costs?.summarize() ?? []) console.log(line);
  const isGood =
    success && isWhole && seen.isGood && tests > 0 && passed === tests;
  const failed = isGood ? 0 : Math.max(tests - passed, 1);
  console.log(`${passed} passed, ${failed} failed`);
  if (!isGood) process.exitCode ??= 1;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
