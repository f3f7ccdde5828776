import { Socket } from "node:net";
import {
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Dialect,
  type PostgresPool,
} from "kysely";
import type { OnQuery, Tx } from "../db.ts";
import type { Database } from "../schema/schema.ts";
import type { GroupConnection } from "../together/group-writer.ts";
import {
  QueryMerger,
  TRANSACTION_ENDED,
  type Statements,
} from "../together/merge-queries.ts";
import { beginSharedUnit } from "../together/shared-unit.ts";
import type { WatchedClient } from "../writes/watch-connections.ts";
import { lend, type Connect } from "./shared-connections.ts";

/** A group that waits longer for a lock fails, and its units run alone: so one that waits holds up no other. */
const LOCK_TIMEOUT = "set local lock_timeout = '300ms'";

type Deps = {
  readonly connect: Connect;
  /** Wraps a connection in one that names its statements and reports what it writes. */
  readonly watch: (pool: PostgresPool) => { connect(): Promise<WatchedClient> };
  readonly onQuery?: OnQuery | undefined;
};

type Connection = GroupConnection & {
  readonly isBroken: () => boolean;
  readonly end: () => Promise<void>;
};

/** Keeps the connection on which one group after the other has its transaction. */
export function createGroupConnection(deps: Deps) {
  let kept: Connection | undefined;
  return {
    connect: async (): Promise<GroupConnection> => {
      if (!kept || kept.isBroken()) kept = await open(deps);
      return kept;
    },
    end: async (): Promise<void> => {
      // It may be broken already.
      await kept?.end().catch(() => {});
    },
  };
}

async function open({ connect, watch, onQuery }: Deps): Promise<Connection> {
  const socket = new Socket();
  let isBroken = false;
  const client = await connect(socket, () => (isBroken = true));
  const lent = lend(client, socket, () => {});
  const watched = await watch(poolOf(lent)).connect();
  const statements = timed(watched, onQuery);
  const run = async (command: "begin" | "commit" | "rollback") => {
    await statements.query(command, []);
  };
  let transaction = beginShared(watched, statements, onQuery);
  return {
    begin: async () => {
      transaction = beginShared(watched, statements, onQuery);
      await Promise.all([run("begin"), statements.query(LOCK_TIMEOUT, [])]);
    },
    commit: () => {
      transaction.end();
      return run("commit");
    },
    rollback: () => {
      transaction.end();
      return run("rollback");
    },
    open: (keys) => transaction.open(keys),
    discard: () => {
      isBroken = true;
      transaction.end();
      // It may be broken already.
      client.end().catch(() => {});
    },
    isBroken: () => isBroken,
    end: () => client.end(),
  };
}

/**
 * The queries of one transaction on a connection. After its end they are refused: a query that
 * comes late, from work beside one that failed, would be stored by itself, or by the next group.
 */
function beginShared(
  watched: WatchedClient,
  statements: Statements,
  onQuery: OnQuery | undefined,
) {
  let hasEnded = false;
  const merger = new QueryMerger(statements);
  const query = (text: string, values: readonly unknown[]) =>
    hasEnded
      ? Promise.reject(new Error(TRANSACTION_ENDED))
      : watched.query(text, values);
  const own: Lent = { query: query as Lent["query"], release: () => {} };
  const kysely = new Kysely<Database>({
    dialect: dialectOn(poolOf(own)),
    ...(onQuery && {
      log: ({ queryDurationMillis, query: { sql } }) =>
        onQuery(queryDurationMillis, sql),
    }),
  });
  return {
    open: (keys: ReadonlySet<string>): Tx => {
      // An object of its own, by which it is recognized, on the same connection.
      const tx = kysely.withoutPlugins() as Tx;
      beginSharedUnit(tx, { merger, keys });
      return tx;
    },
    end: (): void => {
      hasEnded = true;
      merger.end();
    },
  };
}

/** Prepared queries are known by it, so all transactions have the same one. */
const adapter = new PostgresAdapter();

const dialectOn = (pool: PostgresPool): Dialect => ({
  createAdapter: () => adapter,
  createDriver: () => new PostgresDriver({ pool }),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});

type Lent = Awaited<ReturnType<PostgresPool["connect"]>>;

const poolOf = (client: Lent): PostgresPool => ({
  options: {},
  connect: async () => client,
  end: async () => {},
});

function timed(client: WatchedClient, onQuery: OnQuery = () => {}): Statements {
  const measure = async <T>(sql: string, answer: Promise<T>): Promise<T> => {
    const from = performance.now();
    try {
      return await answer;
    } finally {
      onQuery(performance.now() - from, sql);
    }
  };
  return {
    query: (sql, values) =>
      measure(sql, client.query<Record<string, unknown>>(sql, values)),
    queryMerged: (sql, values, one, each) =>
      measure(sql, client.queryMerged(sql, values, one, each)),
  };
}
