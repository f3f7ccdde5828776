import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  compose,
  type Server,
} from "../../packages/server/src/compose/server.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { locateSecretKey } from "../../packages/server/src/config/secret-key.ts";
import { sql } from "kysely";
import { startPostgres } from "../../scripts/testing/test-postgres.ts";
import type { Db } from "../../packages/server/src/db/db.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import {
  openDatabase,
  type DatabaseLocation,
} from "../../packages/server/src/db/open-database.ts";
import { systemClock } from "../../packages/server/src/lib/time/clock.ts";
import { silentLog } from "../../packages/server/src/observability/log.ts";
import { cpuSecondsOf } from "./processor-time.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const BETWEEN_LOOKS_MS = 50;

/** A Kith in its own process. */
export type KithProcess = {
  readonly baseUrl: string;
  readonly port: number;
  readonly location: DatabaseLocation;
  /** Queries its database. @param query selects one number, called `n` */
  readonly count: (query: string) => Promise<number>;
  /** Seconds of processor time used so far by all its threads. */
  readonly cpuSeconds: () => number;
  /** The resident set in MB (1024 × 1024 bytes). */
  readonly rssMb: () => number;
};

/** Fills the database before the server starts. */
export type Prepare<T> = (kith: {
  readonly features: Server["features"];
  readonly db: Db;
  readonly baseUrl: string;
  readonly location: DatabaseLocation;
}) => Promise<T>;

export type KithOptions = {
  /** PostgreSQL instead of SQLite. */
  readonly postgres?: boolean;
  /** The processor to run on; all of them when missing. */
  readonly core?: number;
  /** That of PostgreSQL; the same one when missing. */
  readonly databaseCore?: number;
  /** Flags for Node itself. */
  readonly flags?: readonly string[];
  /** The folder of the Kith that starts; this one when missing. */
  readonly tree?: string;
};

/** The command of `npm start`, below this Node. */
export function startCommand(
  flags: readonly string[] = [],
  tree = ROOT,
): string[] {
  const text = readFileSync(path.join(tree, "package.json"), "utf8");
  const { scripts } = JSON.parse(text) as { scripts: { start: string } };
  const [, ...words] = scripts.start.split(" ");
  const given = words.map((word) =>
    word.endsWith(".cjs") ? path.join(tree, word) : word,
  );
  return [process.execPath, ...flags.filter((flag) => flag !== ""), ...given];
}

/** Starts Kith on a database filled by `prepare`, and stops it after `use`. */
export function withKith<P, T>(
  options: KithOptions,
  prepare: Prepare<P>,
  use: (kith: KithProcess, prepared: P) => Promise<T>,
): Promise<T> {
  return withPlace(options, async (place) => {
    const prepared = await fillDatabase(place, prepare);
    return run(place, options, (kith) => use(kith, prepared));
  });
}

/** The same on an empty database, which a Kith of another commit makes itself. */
export function withEmptyKith<T>(
  options: KithOptions,
  use: (kith: KithProcess) => Promise<T>,
): Promise<T> {
  return withPlace(options, (place) => run(place, options, use));
}

async function withPlace<T>(
  options: KithOptions,
  use: (place: Place) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  const { postgres: onPostgres = false } = options;
  const { core, databaseCore = core } = options;
  const postgres = onPostgres
    ? await startPostgres({
        durable: true,
        ...(databaseCore === undefined ? {} : { core: databaseCore }),
      })
    : undefined;
  const place: Place = {
    dataDir,
    port: await findFreePort(),
    location: postgres
      ? { kind: "postgres", url: postgres.url }
      : fileIn(dataDir),
  };
  try {
    return await use(place);
  } finally {
    await postgres?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function run<T>(
  place: Place,
  options: KithOptions,
  use: (kith: KithProcess) => Promise<T>,
): Promise<T> {
  const child = await start(place, options);
  const db = await openDatabase(place.location);
  try {
    return await use(describe(child, place, db));
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    await db.close();
  }
}

/** The environment of a Kith. */
type Place = {
  readonly dataDir: string;
  readonly port: number;
  readonly location: DatabaseLocation;
};

export const fileIn = (dataDir: string): DatabaseLocation => ({
  kind: "sqlite",
  file: path.join(dataDir, "kith.sqlite"),
});

/** Keeps this process, which generates the load, off the server's processor. */
export function leaveCore(core: number): void {
  if (availableParallelism() < 2) return;
  const others = Array.from({ length: availableParallelism() }, (_, i) => i);
  const list = others.filter((one) => one !== core).join(",");
  spawnSync("taskset", ["-a", "-pc", list, String(process.pid)]);
}

function environment({
  dataDir,
  port,
  location,
}: Place): Record<string, string> {
  return {
    ...(location.kind === "postgres" && { KITH_DATABASE_URL: location.url }),
    KITH_PORT: String(port),
    KITH_BASE_URL: `http://localhost:${port}`,
    KITH_DATA_DIR: dataDir,
    KITH_LOG_LEVEL: "warn",
    // All load comes from one address.
    KITH_RATE_LIMITS: "off",
  };
}

/** Creates a database and fills it with `prepare`. */
export async function fillDatabase<P>(
  place: Place,
  prepare: Prepare<P>,
): Promise<P> {
  const { dataDir, location } = place;
  const db = await openDatabase(location);
  await migrate(db, systemClock);
  const { config } = readConfig(environment(place), {});
  const secretKey = locateSecretKey(dataDir).make();
  const server = compose({
    ...{ config, db, secretKey, clock: systemClock, log: silentLog() },
    version: "0",
  });
  try {
    const { features } = server;
    return await prepare({ features, db, baseUrl: config.baseUrl, location });
  } finally {
    await server.close();
    await db.close();
  }
}

async function start(
  place: Place,
  { core, flags = [], tree }: KithOptions,
): Promise<ChildProcess> {
  const command = [
    // For all processors, too: a child inherits the processors of its parent, which excludes one.
    ...["taskset", "-c", String(core ?? `0-${cpus().length - 1}`)],
    ...startCommand(
      [...(process.env["KITH_BENCH_NODE_FLAGS"]?.split(" ") ?? []), ...flags],
      tree,
    ),
  ];
  const child = spawn(command[0] ?? "", command.slice(1), {
    env: { PATH: process.env["PATH"], ...environment(place) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await answers(`http://localhost:${place.port}/`))) {
    if (child.exitCode !== null) throw new Error("Kith did not start");
    await sleep(20);
  }
  return child;
}

function describe(
  { pid }: ChildProcess,
  { port, location }: Place,
  db: Db,
): KithProcess {
  return {
    port,
    location,
    baseUrl: `http://localhost:${port}`,
    count: async (query) => {
      const { rows } = await sql.raw<{ n: number }>(query).execute(db.read);
      return Number(rows[0]?.n);
    },
    cpuSeconds: () => cpuSecondsOf(pid ?? NaN),
    rssMb: () => {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
  };
}

/** Waits until no job is due. */
export async function untilIdle({ count }: KithProcess): Promise<void> {
  const now = () => new Date().toISOString();
  while (
    (await count(
      `select count(*) as n from jobs where state = 'leased'
        or (state = 'ready' and run_at <= '${now()}')`,
    )) > 0
  )
    await sleep(BETWEEN_LOOKS_MS);
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status === 200;
  } catch {
    return false;
  }
}
