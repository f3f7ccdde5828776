import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { TestDatabase } from "../../packages/server/test/support/server/databases.ts";

const KITH = path.resolve(
  import.meta.dirname,
  "../../packages/server/bin/kith.cjs",
);

/** V8 would begin with a megabyte for young objects and copy them again and again: a twelfth of a start. */
const YOUNG_GENERATION = "--min-semi-space-size=16";

export type Settings = Readonly<Record<string, string>>;

/** The result of a command. */
export type Ended = {
  readonly code: number | null;
  readonly output: string;
  readonly complaint: string;
};

/** Limits of the system on a command. */
type Limits = {
  /** No file can grow beyond this size, as on a full disk. */
  readonly maxFileBytes?: number;
};

/** Starts `kith` with `args`, in an environment that contains only `settings`. */
export function spawnKith(
  args: readonly string[],
  settings: Settings = {},
  { maxFileBytes }: Limits = {},
): ChildProcess {
  const [program = "", ...more] =
    maxFileBytes === undefined
      ? [process.execPath]
      : ["prlimit", `--fsize=${maxFileBytes}`, process.execPath];
  return spawn(program, [...more, YOUNG_GENERATION, KITH, ...args], {
    env: { PATH: process.env["PATH"], ...settings },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs a command to its end. @param input its standard input */
export async function runKith(
  args: readonly string[],
  settings: Settings = {},
  input = "",
  limits: Limits = {},
): Promise<Ended> {
  const child = spawnKith(args, settings, limits);
  // A command that exits without reading must not fail the test with EPIPE.
  child.stdin?.on("error", () => {}).end(input);
  const closed = once(child, "close");
  const [output, complaint] = await Promise.all([
    child.stdout ? text(child.stdout) : "",
    child.stderr ? text(child.stderr) : "",
    closed,
  ]);
  return { code: child.exitCode, output, complaint };
}

/** The settings for using this database. */
export function settingsFor({ location, dataDir }: TestDatabase): Settings {
  return {
    KITH_DATA_DIR: dataDir,
    KITH_LOG_LEVEL: "warn",
    ...(location.kind === "postgres"
      ? { KITH_DATABASE_URL: location.url }
      : {}),
  };
}
