import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  sql,
  type PostgresPool,
} from "kysely";
import type { Client } from "pg";
import { codeOf, messageOf } from "../../lib/errors.ts";
import { coalescePerTick } from "../../lib/caching/coalesce-per-tick.ts";
import { endOldReads, withCurrentReads } from "../../lib/caching/old-reads.ts";
import { CommitListeners } from "../commit-listeners.ts";
import { DatabaseUnusable, type Db, type OnQuery, type Tx } from "../db.ts";
import {
  STALE_PLAN,
  StatementNames,
  nameStatements,
} from "./named-statements.ts";
import { openReplica } from "../replica/open-replica.ts";
import { PROBE_TIMEOUT_MS } from "../replica/watch-replica.ts";
import type { Database } from "../schema/schema.ts";
import { createGroupConnection } from "./group-connection.ts";
import { shareConnections, type Connect } from "./shared-connections.ts";
import { GroupWriter } from "../together/group-writer.ts";
import { QueryMerger, type Statements } from "../together/merge-queries.ts";
import { mergeQueriesOf } from "../together/shared-unit.ts";
import { breakWhenStalled } from "./stalled-connections.ts";
import { KEEP_ALIVE, openOwnConnection } from "./own-connection.ts";
import { withoutPassword } from "./without-password.ts";
import { recogniseLoss } from "./recognise-loss.ts";
import { watchConnections } from "../writes/watch-connections.ts";
import { WriteListeners } from "../writes/write-listeners.ts";

const currentSnapshot = sql<{ snapshot: string }>`
  select pg_current_snapshot()::text as snapshot`;
const INT8 = 20;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
/** Errors after which a retry of the transaction may succeed. */
const RETRYABLE = new Set([SERIALIZATION_FAILURE, DEADLOCK, STALE_PLAN]);
const MAX_ATTEMPTS = 5;
/** Connections for transactions, one for each at a time. */
const WRITERS = 16;
/** Connections that all readers share. */
const READERS = 4;

/**
 * Every query has an index. Plans of prepared statements are cached, even if
 * they were made while a table was so small that a sequential scan was cheaper:
 * such plans find, lease and delete jobs of a long queue twenty times as slowly.
 */
const OPTIONS = "-c enable_seqscan=off";

export type PostgresLocation = {
  readonly kind: "postgres";
  readonly url: string;
  /** The same database through a pooler in transaction mode. */
  readonly poolUrl?: string;
  /** A standby of it, for reads that may be some seconds old. */
  readonly replicaUrl?: string;
};

/**
 * Opens PostgreSQL and checks that it answers.
 * @throws {DatabaseUnusable}
 */
export async function openPostgres(
  { url: direct, poolUrl, replicaUrl }: Omit<PostgresLocation, "kind">,
  onQuery?: OnQuery,
): Promise<Db> {
  // Loaded on demand: most servers run on SQLite.
  const { default: pg } = await import("pg");
  const url = poolUrl ?? direct;
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: "kith",
    ...KEEP_ALIVE,
    ...(poolUrl === undefined && { options: OPTIONS }),
    // Our integers are below 2^53, so they are parsed as numbers, as on SQLite.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as never),
    },
  };
  const pool = new pg.Pool({ ...settings, max: WRITERS });
  // A broken connection must not end the process: the next query reconnects,
  // and an open transaction fails.
  pool.on("error", () => {});
  const isReplaceable = true;
  pool.on("connect", (client) => {
    client.on("error", () => {});
    breakWhenStalled(client, url, { isReplaceable });
  });
  const connectTo =
    (connectionString: string): Connect =>
    async (socket, onBroken) => {
      const client = new pg.Client({
        ...{ ...settings, connectionString, pipeline: true },
        stream: () => socket,
      });
      client.on("error", onBroken).on("end", onBroken);
      await client.connect();
      breakWhenStalled(client, connectionString, { isReplaceable });
      return client;
    };
  const shareReaders = (connectionString: string) =>
    shareConnections(connectTo(connectionString), READERS);
  await pool.query("select 1").catch(async (error: unknown) => {
    await pool.end();
    throw postgresUnusable(url, error);
  });
  const listeners = new CommitListeners();
  if (poolUrl !== undefined) await prepareForPool(direct);
  const names = new StatementNames();
  // A pooler gives each transaction another connection, where a name may mean nothing.
  const named = (connections: PostgresPool) =>
    recogniseLoss(
      poolUrl === undefined ? nameStatements(connections, names) : connections,
    );
  const kyselyOn = (connections: PostgresPool) =>
    new Kysely<Database>({
      dialect: new PostgresDialect({
        pool: connections,
      }),
      ...(onQuery && {
        log: ({ queryDurationMillis, query }) =>
          onQuery(queryDurationMillis, query.sql),
      }),
    });
  const writes = new WriteListeners();
  const primary = named(shareReaders(url));
  const opened =
    replicaUrl === undefined
      ? undefined
      : openReplica({
          primary,
          openPool: () => named(shareReaders(replicaUrl)),
          openProbe: (onBroken) =>
            openOwnConnection(
              ...([
                replicaUrl,
                "kith replica",
                async () => {},
                onBroken,
              ] as const),
              { queryTimeoutMs: PROBE_TIMEOUT_MS },
            ),
        });
  const read = kyselyOn(opened?.pool ?? primary);
  mergeQueriesOf(read, new QueryMerger(statementsOf(read)));
  const watch = (connections: PostgresPool) =>
    watchConnections(named(connections), (written) => writes.notify(written));
  const write = kyselyOn(watch(pool));
  const transaction: Db["transaction"] = async (work) => {
    endOldReads();
    let last: Tx | undefined;
    const value = await inTransaction(write, (tx) => {
      last = tx;
      return work(tx);
    });
    if (last) listeners.notify(last);
    return value;
  };
  const grouped = createGroupConnection({
    ...{ connect: connectTo(url), watch, onQuery },
  });
  const groups = new GroupWriter({
    connect: grouped.connect,
    runAlone: transaction,
    onCommit: (tx) => listeners.notify(tx),
  });
  return {
    dialect: "postgres",
    read,
    transaction,
    together: (keys, work) => {
      endOldReads();
      return groups.run(new Set(keys), work);
    },
    // The current snapshot changes with each transaction that wrote something.
    mark: coalescePerTick(async () => {
      const { rows } = await withCurrentReads(() =>
        currentSnapshot.execute(read),
      );
      const [row] = rows;
      if (!row) throw new Error("PostgreSQL names no snapshot");
      return row.snapshot;
    }),
    onCommit: (listener) => listeners.add(listener),
    onWrites: (listener) => writes.add(listener),
    findForeignWrites: () => {},
    ...(opened && { replica: opened.replica }),
    close: async () => {
      await groups.idle();
      await Promise.all([read.destroy(), write.destroy(), grouped.end()]);
      // Kysely ends only what it has used.
      if (!pool.ended) await pool.end();
    },
  };
}

/** Readers write nothing that would have to be noted. */
function statementsOf(read: Kysely<Database>): Statements {
  const query: Statements["query"] = (text, values) =>
    read.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(text, [...values]),
    );
  return { query, queryMerged: query };
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
      const again = RETRYABLE.has(codeOf(error) ?? "");
      if (!again || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/**
 * Poolers refuse `options`, so the user's own usual setting is changed: it is that of each connection
 * which the pooler makes from now on.
 */
async function prepareForPool(url: string): Promise<void> {
  const change = (client: Client) =>
    client.query(`do $$ begin
      execute format('alter role current_user in database %I set enable_seqscan = off',
        current_database());
    end $$`);
  try {
    const client = await openOwnConnection(url, "kith", change, () => {});
    await client.end();
  } catch (error) {
    throw postgresUnusable(url, error);
  }
}

/** Explains why PostgreSQL cannot be used. */
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
