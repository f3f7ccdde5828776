import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { compose, type Server } from "../packages/server/src/compose.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import { locateSecretKey } from "../packages/server/src/config/secret-key.ts";
import type { Db } from "../packages/server/src/db/db.ts";
import { migrate } from "../packages/server/src/db/migrate.ts";
import { openDatabase } from "../packages/server/src/db/open-database.ts";
import { systemClock } from "../packages/server/src/lib/clock.ts";
import { silentLog } from "../packages/server/src/lib/log.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const KITH = path.join(ROOT, "packages/server/bin/kith.cjs");
/** Linux counts the processor's time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** A Kith in a process of its own. */
export type KithProcess = {
  readonly baseUrl: string;
  readonly port: number;
  readonly file: string;
  /** Seconds of processor time that it has used so far, all its threads together. */
  readonly cpuSeconds: () => number;
  /** The resident set in MB (1024 × 1024 bytes). */
  readonly rssMb: () => number;
};

/** What a bench puts into the database before the server starts. */
export type Prepare<T> = (kith: {
  readonly features: Server["features"];
  readonly db: Db;
  readonly baseUrl: string;
  readonly file: string;
}) => Promise<T>;

export type KithOptions = {
  /** Which processor it may use; all of them where this is absent. */
  readonly core?: number;
};

/** Starts Kith on SQLite with what `prepare` put there, and stops it after `use`. */
export async function withKith<P, T>(
  options: KithOptions,
  prepare: Prepare<P>,
  use: (kith: KithProcess, prepared: P) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  const port = await findFreePort();
  try {
    const prepared = await fillDatabase(dataDir, port, prepare);
    const child = await start(dataDir, port, options);
    try {
      return await use(describe(child, dataDir, port), prepared);
    } finally {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Keeps this process, which makes the load, off the server's processor. */
export function leaveCore(core: number): void {
  if (availableParallelism() < 2) return;
  const others = Array.from({ length: availableParallelism() }, (_, i) => i);
  const list = others.filter((one) => one !== core).join(",");
  spawnSync("taskset", ["-a", "-pc", list, String(process.pid)]);
}

function environment(dataDir: string, port: number): Record<string, string> {
  return {
    KITH_PORT: String(port),
    KITH_BASE_URL: `http://localhost:${port}`,
    KITH_DATA_DIR: dataDir,
    KITH_LOG_LEVEL: "warn",
    // What is measured comes from one address.
    KITH_RATE_LIMITS: "off",
  };
}

/** A new SQLite database in a folder, with what `prepare` puts there. */
export async function fillDatabase<P>(
  dataDir: string,
  port: number,
  prepare: Prepare<P>,
): Promise<P> {
  const file = path.join(dataDir, "kith.sqlite");
  const db = await openDatabase({ kind: "sqlite", file });
  await migrate(db, systemClock);
  const { config } = readConfig(environment(dataDir, port), {});
  const secretKey = locateSecretKey(dataDir).make();
  const server = compose({
    ...{ config, db, secretKey, clock: systemClock, log: silentLog() },
    version: "0",
  });
  try {
    const { features } = server;
    return await prepare({ features, db, baseUrl: config.baseUrl, file });
  } finally {
    await server.close();
    await db.close();
  }
}

async function start(
  dataDir: string,
  port: number,
  { core }: KithOptions,
): Promise<ChildProcess> {
  const flags = (process.env["KITH_BENCH_NODE_FLAGS"] ?? "").split(" ");
  const command = [
    ...(core === undefined ? [] : ["taskset", "-c", String(core)]),
    process.execPath,
    ...flags.filter((flag) => flag !== ""),
    KITH,
    "serve",
  ];
  const child = spawn(command[0] ?? "", command.slice(1), {
    env: { PATH: process.env["PATH"], ...environment(dataDir, port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await answers(`http://localhost:${port}/`))) {
    if (child.exitCode !== null) throw new Error("Kith did not start");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return child;
}

function describe(
  { pid }: ChildProcess,
  dataDir: string,
  port: number,
): KithProcess {
  return {
    port,
    baseUrl: `http://localhost:${port}`,
    file: path.join(dataDir, "kith.sqlite"),
    cpuSeconds: () => cpuSecondsOf(pid ?? NaN),
    rssMb: () => {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
  };
}

function cpuSecondsOf(pid: number): number {
  let ticks = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status === 200;
  } catch {
    return false;
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string")
    throw new Error("No port was given");
  return address.port;
}
