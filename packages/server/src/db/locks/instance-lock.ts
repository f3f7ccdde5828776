import { randomInt } from "node:crypto";
import type { Client } from "pg";
import { messageOf } from "../../lib/errors.ts";
import { DatabaseUnusable } from "../db.ts";
import { takeFileLock } from "./file-lock.ts";
import type { DatabaseLocation } from "../open-database.ts";
import { postgresUnusable } from "../postgres/open-postgres.ts";
import { openOwnConnection } from "../postgres/own-connection.ts";

/**
 * Proves that this process is alive: the lock ends with the process, even if it
 * is killed. Leases of an instance without a lock can be reclaimed immediately.
 */
export type InstanceLock = {
  /** The number of this instance, which is stored in its leases. */
  readonly id: number;
  /** Those of `ids` whose instances have ended. */
  ended(ids: readonly number[]): Promise<number[]>;
  release(): Promise<void>;
};

const ADVISORY_CLASS = 0x6b697468;
const MAX_ID = 2 ** 31 - 1;
const RECONNECT_AFTER_MS = 1_000;
/** A connection that takes longer counts as broken. */
const ANSWER_WITHIN_MS = 10_000;
const ENDED_WITHIN_MS = 5_000;

/**
 * @throws {DatabaseUnusable} on SQLite, if another process serves the same data
 */
export async function lockInstance(
  location: DatabaseLocation,
): Promise<InstanceLock> {
  return location.kind === "sqlite"
    ? lockFile(`${location.file}.lock`, location.file)
    : lockOnPostgres(location.url);
}

function lockFile(file: string, data: string): InstanceLock {
  const id = randomInt(1, MAX_ID);
  const lock = takeLockOf(file, data);
  if (!lock)
    throw new DatabaseUnusable(
      `The database ${data} is in use by another running Kith. Stop that one first, or give this one a data directory of its own (KITH_DATA_DIR).`,
    );
  return {
    id,
    ended: async (ids) => ids.filter((other) => other !== id),
    release: async () => lock.release(),
  };
}

function takeLockOf(file: string, data: string) {
  try {
    return takeFileLock(file);
  } catch (error) {
    throw new DatabaseUnusable(
      `The database ${data} cannot be locked: ${messageOf(error)}.`,
    );
  }
}

async function lockOnPostgres(url: string): Promise<InstanceLock> {
  const id = randomInt(1, MAX_ID);
  let released = false;
  /** The connection that holds the lock; undefined while there is none. */
  let current: Client | undefined;
  let reconnecting: Promise<void> | undefined;

  async function connect(): Promise<void> {
    const client = await openOwnConnection(
      url,
      "kith instance",
      (fresh) => takeLock(fresh, id),
      () => replace(client),
      { queryTimeoutMs: ANSWER_WITHIN_MS },
    );
    current = client;
  }

  function replace(broken: Client): void {
    if (current !== broken) return;
    current = undefined;
    reconnecting = reconnect();
  }

  /**
   * Until it succeeds other instances may reclaim our leases, which at worst
   * runs an idempotent job twice.
   */
  async function reconnect(): Promise<void> {
    while (!released) {
      try {
        return await connect();
      } catch {
        await new Promise((resolve) =>
          setTimeout(resolve, RECONNECT_AFTER_MS).unref(),
        );
      }
    }
  }

  await connect().catch((error: unknown) => {
    throw postgresUnusable(url, error);
  });
  return {
    id,
    ended: async (ids) => {
      // Do not wait for a connection that may not come back for hours: as far
      // as is known, no instance has ended.
      const client = current;
      if (!client) return [];
      const gone: number[] = [];
      try {
        for (const other of ids)
          if (other !== id && (await hasEnded(client, other))) gone.push(other);
      } catch {
        // The connection may be cut silently, and would never answer.
        replace(client);
        client.end().catch(() => {});
      }
      return gone;
    },
    release: async () => {
      released = true;
      await reconnecting;
      // The newest connection: a broken one does not report its end.
      await current?.end();
    },
  };
}

/**
 * Acquires the lock without waiting. After a silent network failure PostgreSQL
 * takes a broken connection to be alive for hours: its backend, which is the
 * only possible holder of this lock, is terminated then.
 * @throws if the lock is still held
 */
async function takeLock(client: Client, id: number): Promise<void> {
  const tryLock = async () => {
    const { rows } = await client.query<{ taken: boolean }>(
      "select pg_try_advisory_lock($1, $2) as taken",
      [ADVISORY_CLASS, id],
    );
    return rows[0]?.taken === true;
  };
  if (await tryLock()) return;
  await client.query(
    `select pg_terminate_backend(pid, $3) from pg_locks
     where locktype = 'advisory' and granted and pid <> pg_backend_pid()
       and classid = $1::integer and objid = $2::integer and objsubid = 2
       and database = (select oid from pg_database where datname = current_database())`,
    [ADVISORY_CLASS, id, ENDED_WITHIN_MS],
  );
  if (!(await tryLock()))
    throw new Error("The lock is held by another process");
}

async function hasEnded(client: Client, other: number): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    "select pg_try_advisory_lock($1, $2) as free",
    [ADVISORY_CLASS, other],
  );
  if (rows[0]?.free !== true) return false;
  await client.query("select pg_advisory_unlock($1, $2)", [
    ADVISORY_CLASS,
    other,
  ]);
  return true;
}
