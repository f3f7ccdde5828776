import { Kysely, PostgresDialect, sql } from "kysely";
import { codeOf, messageOf } from "../lib/errors.ts";
import { DatabaseUnusable, type Db, type OnQuery, type Tx } from "./db.ts";
import type { Database } from "./schema.ts";

const currentSnapshot = sql<{ snapshot: string }>`
  select pg_current_snapshot()::text as snapshot`;
const INT8 = 20;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const MAX_ATTEMPTS = 5;

/**
 * Opens PostgreSQL and makes sure that it answers.
 * @throws {DatabaseUnusable}
 */
export async function openPostgres(
  url: string,
  onQuery?: OnQuery,
): Promise<Db> {
  // Loaded here because most servers run on SQLite and need not pay for it.
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 10_000,
    application_name: "kith",
    // Our integers are below 2^53, so they are read as numbers, as on SQLite.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as never),
    },
  });
  // An idle connection that breaks must not end the process; the next query reconnects.
  pool.on("error", () => {});
  await pool.query("select 1").catch(async (error: unknown) => {
    await pool.end();
    throw postgresUnusable(url, error);
  });
  const listeners: ((tx: Tx) => void)[] = [];
  const kysely = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && {
      log: ({ queryDurationMillis }) => onQuery(queryDurationMillis),
    }),
  });
  return {
    dialect: "postgres",
    read: kysely,
    transaction: async (work) => {
      let last: Tx | undefined;
      const value = await inTransaction(kysely, (tx) => {
        last = tx;
        return work(tx);
      });
      if (last) for (const listener of listeners) listener(last);
      return value;
    },
    // It counts whatever transactions have ended, and changes with each that wrote something.
    mark: async () => {
      const { rows } = await currentSnapshot.execute(kysely);
      const [row] = rows;
      if (!row) throw new Error("PostgreSQL names no snapshot");
      return row.snapshot;
    },
    onCommit: (listener) => void listeners.push(listener),
    close: () => kysely.destroy(),
  };
}

async function inTransaction<T>(
  kysely: Kysely<Database>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await kysely
        .transaction()
        .execute((transaction) => work(transaction as unknown as Tx));
    } catch (error) {
      const code = codeOf(error);
      const again = code === SERIALIZATION_FAILURE || code === DEADLOCK;
      if (!again || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Says in words why PostgreSQL cannot be used. */
export function postgresUnusable(
  url: string,
  error: unknown,
): DatabaseUnusable {
  return new DatabaseUnusable(
    `PostgreSQL at ${withoutPassword(url)} cannot be used: ${describe(error)}.`,
  );
}

function describe(error: unknown): string {
  if (error instanceof AggregateError)
    return error.errors.map(messageOf).join("; ");
  return messageOf(error);
}

/** A database URL fit for a message. */
export function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.password !== "") parsed.password = "…";
    return decodeURI(parsed.toString());
  } catch {
    return "the given URL";
  }
}
