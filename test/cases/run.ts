import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startPostgres } from "../../scripts/testing/test-postgres.ts";
import { BadFolder, readCaseFolder, type Case } from "./case-file.ts";
import { leftOpen, lineOf, recordOf } from "./report.ts";
import { playOnStage, prepare, type Result } from "./stage.ts";

// npm run cases:activitypub -- <folder> [--json file] [--only name,…] [--keep]
//   [--database sqlite|postgres] [--jobs number]
//
// Plays every case of a folder, in the format of test/vectors/activitypub, each
// against its own server in a simulated network. Prints a line per case;
// exits with 1 if one failed, with 2 if the folder is invalid.

const USAGE =
  "npm run cases:activitypub -- <folder> [--json file] [--only name,…] [--keep] [--database sqlite|postgres] [--jobs number]";
const DEFAULT_JOBS = 6;

type Arguments = {
  folder: string;
  json: string | undefined;
  only: string[];
  keep: boolean;
  database: "sqlite" | "postgres";
  jobs: number;
};

function readArguments(): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "string" },
      only: { type: "string" },
      keep: { type: "boolean", default: false },
      database: { type: "string", default: "sqlite" },
      jobs: { type: "string", default: String(DEFAULT_JOBS) },
    },
  });
  const [folder, ...rest] = positionals;
  const { database, json, keep } = values;
  const jobs = Number(values.jobs);
  if (folder === undefined || rest.length > 0) throw new BadFolder(USAGE);
  if (database !== "sqlite" && database !== "postgres")
    throw new BadFolder(USAGE);
  if (!Number.isInteger(jobs) || jobs < 1) throw new BadFolder(USAGE);
  const only = (values.only ?? "").split(",").filter((name) => name !== "");
  return { folder, json, only, keep, database, jobs };
}

/** The selected cases. @throws {BadFolder} for an unknown name */
function choose(cases: readonly Case[], only: readonly string[]): Case[] {
  const nameOf = (file: string) => file.replace(/\.json$/, "");
  const names = only.map(nameOf);
  for (const name of names)
    if (!cases.some(({ file }) => nameOf(file) === name))
      throw new BadFolder(`there is no case ${name}`);
  return cases.filter(
    ({ file }) => names.length === 0 || names.includes(nameOf(file)),
  );
}

async function main(): Promise<void> {
  const wanted = readArguments();
  const folder = readCaseFolder(wanted.folder);
  const cases = choose(folder.index.cases, wanted.only);
  const postgres = await provideDatabase(wanted.database);
  try {
    const prepared = await prepare(folder, wanted.database);
    try {
      const results = await inParallel(cases, wanted.jobs, async (one) => {
        const result = await playOnStage(prepared, one, wanted);
        console.log(lineOf(one, result));
        return result;
      });
      finish(wanted, cases, results);
    } finally {
      await prepared.remove();
    }
  } finally {
    await postgres?.stop();
  }
}

async function provideDatabase(kind: "sqlite" | "postgres") {
  if (kind === "sqlite" || process.env["KITH_TEST_DATABASE_URL"])
    return undefined;
  const postgres = await startPostgres({ socket: true });
  process.env["KITH_TEST_DATABASE_URL"] = postgres.url;
  return postgres;
}

function finish(
  { json }: Arguments,
  cases: readonly Case[],
  results: readonly Result[],
): void {
  const passed = results.filter((one) => one.passed).length;
  const failed = results.length - passed;
  console.log(leftOpen(results));
  console.log(`${passed} passed, ${failed} failed`);
  if (json !== undefined) {
    const records = results.map((one, at) => recordOf(cases[at], one));
    const all = { passed, failed, cases: records };
    writeFileSync(json, `${JSON.stringify(all, null, 1)}\n`);
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Runs several at a time. @returns the outcomes, in the order of the list */
async function inParallel<Of, To>(
  list: readonly Of[],
  jobs: number,
  work: (one: Of) => Promise<To>,
): Promise<To[]> {
  const results: To[] = [];
  const rest = [...list.entries()];
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift())
      results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return results;
}

main().catch((error: unknown) => {
  const isOurs = error instanceof BadFolder || isBadOption(error);
  console.error(isOurs ? messageOf(error) : error);
  process.exitCode = isOurs ? 2 : 1;
});

function isBadOption(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    String(error.code).startsWith("ERR_PARSE_ARGS")
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
