import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Client } from "pg";
import { messageOf } from "../lib/errors.ts";
import { DatabaseUnusable } from "./db.ts";
import type { DatabaseLocation } from "./open-database.ts";
import { postgresUnusable } from "./postgres/open-postgres.ts";
import { openOwnConnection } from "./postgres/own-connection.ts";

/**
 * Says that this process is alive, in a way that a killed process cannot forget
 * to take back: the lock ends with the process. Work that was leased by an
 * instance whose lock is gone can be taken over at once.
 */
export type InstanceLock = {
  /** This instance's number, written into its leases. */
  readonly id: number;
  /** Those of `ids` whose instances have ended. */
  ended(ids: readonly number[]): Promise<number[]>;
  release(): Promise<void>;
};

const ADVISORY_CLASS = 0x6b697468;
const MAX_ID = 2 ** 31 - 1;
const RECONNECT_AFTER_MS = 1_000;
/** What takes longer is taken for a connection that is broken. */
const ANSWER_WITHIN_MS = 10_000;
const ENDED_WITHIN_MS = 5_000;

/** @throws {DatabaseUnusable} on SQLite, when another process serves the same data */
export async function lockInstance(
  location: DatabaseLocation,
): Promise<InstanceLock> {
  return location.kind === "sqlite"
    ? lockFile(`${location.file}.lock`, location.file)
    : lockOnPostgres(location.url);
}

/** SQLite itself keeps the lock: its file locks work on every system and end with the process. */
function lockFile(file: string, data: string): InstanceLock {
  const id = randomInt(1, MAX_ID);
  let database: DatabaseSync;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("begin exclusive");
  } catch (error) {
    const held = messageOf(error).includes("locked");
    throw new DatabaseUnusable(
      held
        ? `The database ${data} is in use by another running Kith. Stop that one first, or give this one a data directory of its own (KITH_DATA_DIR).`
        : `The database ${data} cannot be locked: ${messageOf(error)}.`,
    );
  }
  return {
    id,
    ended: async (ids) => ids.filter((other) => other !== id),
    release: async () => database.close(),
  };
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

  /** Until it succeeds others may take over our leases, which at worst runs an idempotent job twice. */
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
      // Nobody waits for a connection that may not come back for hours: as far as is known, none has ended.
      const client = current;
      if (!client) return [];
      const gone: number[] = [];
      try {
        for (const other of ids)
          if (other !== id && (await hasEnded(client, other))) gone.push(other);
      } catch {
        // It may be cut without a word, and would be asked in vain for ever.
        replace(client);
        client.end().catch(() => {});
      }
      return gone;
    },
    release: async () => {
      released = true;
      await reconnecting;
      // The newest connection: the end of one that broke is never told of.
      await current?.end();
    },
  };
}

/**
 * Takes the lock, and waits for nobody. Where a connection broke without a word, as
 * in a network that is cut, PostgreSQL takes it to be alive for hours: the process
 * behind it, which is the only one that can hold this lock, is ended then.
 * @throws where somebody holds it still
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
  if (!(await tryLock())) throw new Error("The lock is held by somebody else");
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
