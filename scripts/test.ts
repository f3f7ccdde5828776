import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { AnswerLog, summarizeAnswers } from "./testing/test-answers.ts";
import { CostLog } from "./testing/test-costs.ts";
import { findChromium } from "./testing/test-chromium.ts";
import { findTestFiles } from "./testing/test-files.ts";
import { groupFiles } from "./testing/test-groups.ts";
import { runGroups, type Outcome } from "./testing/test-lanes.ts";
import { createTestKeys, type TestKeys } from "./testing/test-keys.ts";
import { findDatabaseFolder } from "./testing/test-memory.ts";
import { startPostgres, type TestPostgres } from "./testing/test-postgres.ts";
import { createTemplates, type Templates } from "./testing/test-templates.ts";
import { root } from "./project-files.ts";

// npm test [-- path, folder or glob …] [-- --test-name-pattern=words] [-- --both-databases] [-- --long] [-- --costs]

/** Most processes load all of Kith: what was compiled once is kept. */
process.env.NODE_COMPILE_CACHE ??= path.join(
  root,
  "node_modules/.cache/kith-tests",
);

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

async function runTests(wanted: Wanted): Promise<Outcome> {
  const { files, namePatterns, bothDatabases } = wanted;
  const hasPatterns = namePatterns.length > 0;
  // The name of a file, which is that of its suite in a group, may match a pattern.
  const groups = groupFiles(files, { bothDatabases, shared: !hasPatterns });
  const { signal } = interrupted;
  return await runGroups(groups, { namePatterns, signal });
}

/** The last line of a run, and its exit code. */
function report({ counts, success, empty }: Outcome): void {
  const mayBeEmpty = wanted.namePatterns.length > 0;
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
