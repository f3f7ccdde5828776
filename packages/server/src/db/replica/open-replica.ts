import type { PostgresPool, PostgresPoolClient } from "kysely";
import {
  endOldReads,
  mayReadOld,
  withOldReads,
} from "../../lib/caching/old-reads.ts";
import type { Replica } from "../db.ts";
import type { Position } from "./replica-identity.ts";
import { ReplicaWatch, type WatchDeps } from "./watch-replica.ts";

export type ReplicaDeps = Pick<WatchDeps, "openProbe"> & {
  readonly primary: PostgresPool;
  /** Opens connections to the replica, which readers share. */
  readonly openPool: () => PostgresPool;
};

export type OpenReplica = {
  readonly replica: Replica;
  /** Connections to the replica for reads that may be old, and to the primary for all others. */
  readonly pool: PostgresPool;
};

/**
 * Sends reads that may be old to the replica, while it answers and is not too far behind. A query
 * that fails there, for any reason, is asked again of the primary.
 */
export function openReplica({
  primary,
  openPool,
  openProbe,
}: ReplicaDeps): OpenReplica {
  const counts = {
    ...{ queries: 0, askedAgain: 0 },
    ...{ answers: 0, answersWithout: 0, answersRepeated: 0 },
  };
  let pool: PostgresPool | undefined;
  const giveUp = new Set<(error: Error) => void>();
  const watch = new ReplicaWatch({
    openProbe,
    askPrimary: async (sql) =>
      (await askOnce<Position>(primary, sql, [])).rows[0],
    onLost: () => {
      const lost = pool;
      pool = undefined;
      for (const reject of [...giveUp])
        reject(new Error("The replica is lost"));
      // Its connections may be broken already.
      void lost?.end().catch(() => {});
    },
  });
  const orLost = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      giveUp.add(reject);
      const end = (): boolean => giveUp.delete(reject);
      work.then(resolve, reject).then(end, end);
    });
  const ways = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  const wayThrough = (client: PostgresPoolClient): PostgresPoolClient => {
    const known = ways.get(client);
    if (known) return known;
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        const result = await orLost(client.query(text, values));
        counts.queries += 1;
        return result;
      } catch {
        counts.askedAgain += 1;
        return askOnce(primary, text, values);
      }
    };
    const way: PostgresPoolClient = {
      query: query as PostgresPoolClient["query"],
      release: (destroy) => client.release(destroy),
    };
    ways.set(client, way);
    return way;
  };
  const connectToReplica = async (): Promise<
    PostgresPoolClient | undefined
  > => {
    try {
      pool ??= openPool();
      return wayThrough(await orLost(pool.connect()));
    } catch {
      return undefined;
    }
  };
  return {
    replica: {
      answer: async (work, mayRepeat) => {
        if (!(await watch.isReady())) {
          counts.answersWithout += 1;
          return work();
        }
        try {
          const answer = await withOldReads(work);
          counts.answers += 1;
          return answer;
        } catch (error) {
          if (!mayRepeat()) throw error;
          counts.answersRepeated += 1;
          return work();
        }
      },
      require: () => watch.require(),
      state: () => ({ ...counts, ageMs: watch.ageMs() }),
    },
    pool: {
      ...(primary.Client && { Client: primary.Client }),
      options: primary.options,
      connect: async () => {
        if (!mayReadOld()) return primary.connect();
        const client = watch.isUsable() ? await connectToReplica() : undefined;
        if (client) return client;
        // The reads that follow may not be older than this one.
        endOldReads();
        return primary.connect();
      },
      end: async () => {
        await watch.close();
        await primary.end();
      },
    },
  };
}

async function askOnce<Row>(
  primary: PostgresPool,
  text: string,
  values: readonly unknown[],
) {
  const client = await primary.connect();
  try {
    return await client.query<Row>(text, values);
  } finally {
    client.release();
  }
}
