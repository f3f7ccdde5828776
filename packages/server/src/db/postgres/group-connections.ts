import { Socket } from "node:net";
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { OnQuery, Tx } from "../db.ts";
import type { Database } from "../schema/schema.ts";
import type { GroupConnection } from "../together/group-writer.ts";
import { QueryMerger, type Statements } from "../together/merge-queries.ts";
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

/** Connections whose transactions several units of work share, each used by one group at a time. */
export function createGroupConnections(deps: Deps) {
  const free: Connection[] = [];
  const all = new Set<Connection>();
  return {
    connect: async (): Promise<Connection> => {
      for (let one = free.pop(); one; one = free.pop()) {
        if (!one.isBroken()) return one;
        all.delete(one);
      }
      const opened = await open(deps);
      all.add(opened);
      return opened;
    },
    release: (one: GroupConnection): void => {
      for (const it of all) if (it === one) free.push(it);
    },
    end: async (): Promise<void> => {
      await Promise.allSettled([...all].map((one) => one.end()));
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
  const kysely = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: poolOf(watched) }),
    ...(onQuery && {
      log: ({ queryDurationMillis, query }) =>
        onQuery(queryDurationMillis, query.sql),
    }),
  });
  const run = async (command: "begin" | "commit" | "rollback") => {
    await statements.query(command, []);
  };
  let merger = new QueryMerger(statements);
  return {
    begin: async () => {
      merger = new QueryMerger(statements);
      await Promise.all([run("begin"), statements.query(LOCK_TIMEOUT, [])]);
    },
    commit: () => run("commit"),
    rollback: () => run("rollback"),
    open: (keys) => {
      // An object of its own, by which it is recognized, on the same connection.
      const tx = kysely.withoutPlugins() as Tx;
      beginSharedUnit(tx, { merger, keys });
      return tx;
    },
    discard: () => {
      isBroken = true;
      client.end().catch(() => {});
    },
    isBroken: () => isBroken,
    end: () => client.end(),
  };
}

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
