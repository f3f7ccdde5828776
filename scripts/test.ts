import { availableParallelism } from "node:os";
import path from "node:path";
import { type EventData, run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { AnswerLog, summarizeAnswers } from "./testing/test-answers.ts";
import { findChromium } from "./testing/test-chromium.ts";
import { findTestFiles } from "./testing/test-files.ts";
import { createTestKeys, type TestKeys } from "./testing/test-keys.ts";
import { findDatabaseFolder } from "./testing/test-memory.ts";
import { startPostgres, type TestPostgres } from "./testing/test-postgres.ts";
import { createTemplates, type Templates } from "./testing/test-templates.ts";
import { root } from "./project-files.ts";

// npm test [-- path, folder or glob …] [-- --test-name-pattern=words] [-- --long]

const FILE_TIMEOUT_MS = 10 * 60 * 1000;

/** Each test file is a process, and most load all of Kith: what was compiled once is kept. */
process.env.NODE_COMPILE_CACHE ??= path.join(
  root,
  "node_modules/.cache/kith-tests",
);

/** Watches the answers of the API in each test process. */
const WATCHER = path.join(
  root,
  "packages/server/test/support/server/watch-fetch.ts",
);

type Summary = EventData.TestSummary;
type Outcome = Summary & { empty: string[]; mayBeEmpty: boolean };

const interrupted = new AbortController();
const INTERRUPTS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [signal, code] of Object.entries(INTERRUPTS))
  process.on(signal, () => {
    process.exitCode = code;
    interrupted.abort();
  });

const [files, namePatterns] = readArguments(process.argv.slice(2));
let postgres: TestPostgres | undefined;
let templates: Templates | undefined;
let keys: TestKeys | undefined;
const answers = new AnswerLog();
process.env.KITH_TEST_ANSWERS = answers.file;
process.env.KITH_TEST_DATABASE_FOLDER = findDatabaseFolder();
try {
  provideBrowser();
  [postgres, keys] = await Promise.all([provideDatabase(), createTestKeys()]);
  templates = await createTemplates(process.env.KITH_TEST_DATABASE_URL);
  if (!interrupted.signal.aborted) report(await runTests(files, namePatterns));
} finally {
  await templates?.remove();
  await postgres?.stop();
  keys?.remove();
  answers.remove();
}

function readArguments(args: string[]): [files: string[], names: string[]] {
  const flag = "--test-name-pattern=";
  const names = args.filter((arg) => arg.startsWith(flag));
  const isLong = args.includes("--long");
  if (isLong) process.env.KITH_TEST_LONG = "1";
  const paths = args.filter((arg) => !arg.startsWith(flag) && arg !== "--long");
  const unknown = paths.find((arg) => arg.startsWith("-"));
  try {
    if (unknown) throw new Error(`There is no option ${unknown}`);
    return [findTestFiles(paths), names.map((it) => it.slice(flag.length))];
  } catch (error) {
    console.error(messageOf(error));
    process.exit(1);
  }
}

async function provideDatabase(): Promise<TestPostgres | undefined> {
  if (process.env.KITH_TEST_DATABASE_URL) return undefined;
  try {
    const started = await startPostgres();
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

async function runTests(
  testFiles: string[],
  testNamePatterns: string[],
): Promise<Outcome> {
  const stream = run({
    files: testFiles,
    cwd: root,
    // One more than there are processors: tests with several servers wait a good deal.
    concurrency: availableParallelism() + 1,
    timeout: FILE_TIMEOUT_MS,
    signal: interrupted.signal,
    execArgv: ["--import", pathToFileURL(WATCHER).href],
    ...(testNamePatterns.length > 0 ? { testNamePatterns } : {}),
  });
  let total: Summary | undefined;
  stream.on("test:summary", (summary) => {
    if (summary.file === undefined) total = summary;
  });
  // A file in which no test ran is counted as a test that passed.
  const empty: string[] = [];
  stream.on("test:pass", ({ name, nesting }) => {
    if (nesting === 0 && testFiles.includes(name)) empty.push(name);
  });
  for await (const text of stream.compose(spec))
    process.stdout.write(String(text));
  if (!total) throw new Error("The test run ended without a summary");
  return { ...total, empty, mayBeEmpty: testNamePatterns.length > 0 };
}

/** The last line of a run, and its exit code. */
function report({ counts, success, empty, mayBeEmpty }: Outcome): void {
  const tests = counts.tests - empty.length;
  const passed = counts.passed - empty.length;
  if (!mayBeEmpty)
    for (const file of empty) console.error(`No test in ${file}`);
  if (tests === 0) console.error("No test ran, which is a failure.");
  if (counts.skipped + counts.todo > 0)
    console.error("A test that is skipped or to do counts as failed.");
  const isWhole = mayBeEmpty || empty.length === 0;
  const seen = summarizeAnswers(answers.read());
  for (const line of seen.lines) console.log(line);
  const isGood =
    success && isWhole && seen.isGood && tests > 0 && passed === tests;
  const failed = isGood ? 0 : Math.max(tests - passed, 1);
  console.log(`${passed} passed, ${failed} failed`);
  if (!isGood) process.exitCode ??= 1;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
