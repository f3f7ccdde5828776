import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Client } from "pg";
import { messageOf } from "../lib/errors.ts";
import { DatabaseUnusable } from "./db.ts";
import type { DatabaseLocation } from "./open-database.ts";
import { postgresUnusable } from "./open-postgres.ts";
import { openOwnConnection } from "./own-connection.ts";

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
  /** The connection that holds the lock, or the making of the next one. */
  let current: Promise<Client | undefined> = connect().catch(
    (error: unknown) => {
      throw postgresUnusable(url, error);
    },
  );
  await current;

  function connect(): Promise<Client> {
    return openOwnConnection(
      url,
      "kith instance",
      (client) =>
        client.query("select pg_advisory_lock($1, $2)", [ADVISORY_CLASS, id]),
      () => {
        current = reconnect();
      },
    );
  }

  /** Until it succeeds others may take over our leases, which at worst runs an idempotent job twice. */
  async function reconnect(): Promise<Client | undefined> {
    while (!released) {
      try {
        return await connect();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1000).unref());
      }
    }
    return undefined;
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

  return {
    id,
    ended: async (ids) => {
      const client = await current;
      const gone: number[] = [];
      if (client)
        for (const other of ids)
          if (other !== id && (await hasEnded(client, other))) gone.push(other);
      return gone;
    },
    release: async () => {
      released = true;
      // The newest connection: the end of one that broke is never told of.
      const client = await current;
      await client?.end();
    },
  };
}
