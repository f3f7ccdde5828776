import type { PostgresPool, PostgresPoolClient } from "kysely";
import { DatabaseAway } from "../../lib/errors.ts";
import { isLoss } from "../refusal.ts";

/**
 * A pool whose errors say (`DatabaseAway`) that PostgreSQL cannot be reached. Those of a commit, and of
 * the rollback that follows it, do not: the commit may stand, though its answer was lost. Outside of
 * transactions there are only reads.
 */
export function recogniseLoss(pool: PostgresPool): PostgresPool {
  // Kysely identifies a connection by its object, so each has one wrapper.
  const recognising = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  return {
    ...(pool.Client && { Client: pool.Client }),
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch(throwLoss);
      let known = recognising.get(client);
      if (!known) recognising.set(client, (known = recogniseIn(client)));
      return known;
    },
  };
}

function recogniseIn(client: PostgresPoolClient): PostgresPoolClient {
  let mayStand = false;
  const query = (text: string, values: readonly unknown[]) => {
    if (text === "commit") mayStand = true;
    else if (text === "begin") mayStand = false;
    const answer = client.query<unknown>(text, values);
    return mayStand ? answer : answer.catch(throwLoss);
  };
  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy),
  };
}

function throwLoss(error: unknown): never {
  throw isLoss(error) ? new DatabaseAway(error) : error;
}
