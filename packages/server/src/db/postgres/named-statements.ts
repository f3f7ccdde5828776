import type { PostgresPool, PostgresPoolClient } from "kysely";
import { codeOf } from "../../lib/errors.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";

/** Each connection of PostgreSQL caches the plans of so many statements. */
const MAX_NAMES = 400;
/** So many texts that were seen once are remembered. */
const MAX_SEEN = 2_000;
/**
 * `cached plan must not change result type`: the columns of a table have
 * changed.
 */
export const STALE_PLAN = "0A000";

/**
 * Names repeated queries, so that PostgreSQL parses and plans each once per
 * connection: planning takes longer than running most of them. A query that is
 * not repeated, such as one with a list of another length each time, gets no
 * name.
 */
export class StatementNames {
  readonly #seen = createLruCache<string, true>({ max: MAX_SEEN });
  #names = new Map<string, string>();
  #generation = 0;

  /** @returns undefined for a query to send without a name */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MAX_NAMES) return known;
    if (this.#seen.delete(text)) {
      const name = `kith_${this.#generation}_${this.#names.size}`;
      this.#names.set(text, name);
      return name;
    }
    this.#seen.set(text, true);
    return undefined;
  }

  /** Changes all names, since the columns of a table have changed. */
  renew(): void {
    this.#names = new Map();
    this.#generation += 1;
  }
}

/** The part of a `pg` connection that is used here. */
type Client = PostgresPoolClient & {
  query(config: {
    name: string;
    text: string;
    values: readonly unknown[];
  }): Promise<unknown>;
};

/**
 * A pool whose connections send named statements (PostgreSQL, "Extended
 * Query").
 */
export function nameStatements(
  pool: PostgresPool,
  names: StatementNames,
): PostgresPool {
  // Kysely identifies a connection by its object, so each has one wrapper.
  const naming = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  return {
    ...(pool.Client && { Client: pool.Client }),
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = (await pool.connect()) as Client;
      let known = naming.get(client);
      if (!known) naming.set(client, (known = nameQueries(client, names)));
      return known;
    },
  };
}

function nameQueries(
  client: Client,
  names: StatementNames,
): PostgresPoolClient {
  const query = async (text: string, values: readonly unknown[]) => {
    const name = values.length > 0 ? names.nameOf(text) : undefined;
    if (name === undefined) return client.query(text, values);
    try {
      return await client.query({ name, text, values });
    } catch (error) {
      if (codeOf(error) !== STALE_PLAN) throw error;
      names.renew();
      // In a transaction it fails again, and the transaction is retried.
      return client.query(text, values).catch(() => {
        throw error;
      });
    }
  };
  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy),
  };
}
