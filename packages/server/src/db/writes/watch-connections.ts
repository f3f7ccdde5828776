import type { PostgresPool, PostgresPoolClient } from "kysely";
import { WriteCollector, type Writes } from "./collect-writes.ts";
import { readStatement, type StatementWrite } from "./read-statement.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";

/** So many texts of statements are read once. */
const MAX_STATEMENTS = 2_000;
const ROLLED_BACK =
  "PostgreSQL rolled a transaction back at its commit, because a statement in it had failed";

/** A connection that reports what its transactions write. */
export type WatchedClient = PostgresPoolClient & {
  /** Runs a statement that does what `one` would do with each of `each`. */
  queryMerged(
    text: string,
    values: readonly unknown[],
    one: string,
    each: readonly (readonly unknown[])[],
  ): Promise<{ rows: Record<string, unknown>[] }>;
};

type WatchedPool = PostgresPool & { connect(): Promise<WatchedClient> };

/**
 * A pool whose connections report what each transaction wrote, once PostgreSQL has answered its
 * commit. A commit without an answer may stand, so it counts as one that wrote anything. PostgreSQL
 * answers the commit of a transaction in which a statement failed with `ROLLBACK`, and with no
 * error: that commit fails here, so that nothing is acknowledged that was not stored.
 */
export function watchConnections(
  pool: PostgresPool,
  onWrites: (writes: Writes) => void,
): WatchedPool {
  const known = createLruCache<string, readonly StatementWrite[]>({
    max: MAX_STATEMENTS,
  });
  const read = (text: string): readonly StatementWrite[] => {
    let statement = known.get(text);
    if (!statement) known.set(text, (statement = readStatement(text)));
    return statement;
  };
  // Kysely identifies a connection by its object, so each has one wrapper.
  const watched = new WeakMap<PostgresPoolClient, WatchedClient>();
  return {
    ...(pool.Client && { Client: pool.Client }),
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      let own = watched.get(client);
      if (!own) watched.set(client, (own = watch(client, read, onWrites)));
      return own;
    },
  };
}

function watch(
  client: PostgresPoolClient,
  read: (text: string) => readonly StatementWrite[],
  onWrites: (writes: Writes) => void,
): WatchedClient {
  const writes = new WriteCollector();
  const commit = async (text: string, values: readonly unknown[]) => {
    const written = writes.take();
    try {
      const result = await client.query<unknown>(text, values);
      if (result.command === "ROLLBACK") throw new Error(ROLLED_BACK);
      onWrites(written);
      return result;
    } catch (error) {
      onWrites(undefined);
      throw error;
    }
  };
  const query = (text: string, values: readonly unknown[]) => {
    if (text === "commit") return commit(text, values);
    if (text === "begin" || text === "rollback") writes.take();
    else writes.note(read(text), values);
    return client.query(text, values);
  };
  return {
    query: query as PostgresPoolClient["query"],
    queryMerged: async (text, values, one, each) => {
      for (const those of each) writes.note(read(one), those);
      return client.query<Record<string, unknown>>(text, values);
    },
    release: (destroy) => client.release(destroy),
  };
}
