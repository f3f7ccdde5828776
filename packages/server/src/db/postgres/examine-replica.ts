import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { messageOf } from "../../lib/errors.ts";
import { failed, ok, warning, type Finding } from "../../lib/finding.ts";
import { openOwnConnection } from "./own-connection.ts";
import {
  PRIMARY_POSITION,
  REPLAYED_POSITION,
  type Position,
} from "../replica/replica-identity.ts";
import { MAX_AGE_MS } from "../replica/replica-progress.ts";

const CHECK = "database replica";
const TIMEOUT_MS = 5_000;
const PAUSE_MS = 20;

type Urls = { readonly url: string; readonly replicaUrl: string };

/** Checks that the replica answers, is a standby of this database, and follows it. */
export async function examineReplica(urls: Urls): Promise<Finding> {
  const opened: Client[] = [];
  try {
    for (const url of [urls.url, urls.replicaUrl]) opened.push(await open(url));
    const [primary, replica] = opened;
    if (!primary || !replica) throw new Error("no connection");
    return await compare(primary, replica);
  } catch (error) {
    return warning(
      CHECK,
      `The replica cannot be read: ${messageOf(error)}.`,
      "Start it, or correct KITH_DATABASE_REPLICA_URL. Meanwhile the primary answers everything.",
    );
  } finally {
    await Promise.all(opened.map((client) => client.end()));
  }
}

const open = (url: string): Promise<Client> =>
  openOwnConnection(
    ...([url, "kith doctor", async () => {}, () => {}] as const),
    { queryTimeoutMs: TIMEOUT_MS },
  );

async function compare(primary: Client, replica: Client): Promise<Finding> {
  const startedAtMs = performance.now();
  const at = await ask(primary, PRIMARY_POSITION);
  for (;;) {
    const reached = await ask(replica, REPLAYED_POSITION);
    if (reached.identity !== at.identity)
      return failed(
        CHECK,
        "The replica is a copy of another database.",
        "Correct KITH_DATABASE_REPLICA_URL: it is the address of a streaming standby of KITH_DATABASE_URL. Nothing is read from this one.",
      );
    if (reached.position === null)
      return failed(
        CHECK,
        "The server named as the replica is no standby: it takes writes.",
        "Correct KITH_DATABASE_REPLICA_URL, or make that server a standby again (pg_rewind, pg_basebackup). Nothing is read from it.",
      );
    const behindMs = performance.now() - startedAtMs;
    if (BigInt(reached.position) >= BigInt(at.position ?? "0"))
      return ok(
        CHECK,
        `The replica has what was committed ${(behindMs / 1000).toFixed(1)} seconds before.`,
      );
    if (behindMs > MAX_AGE_MS)
      return warning(
        CHECK,
        `The replica is more than ${MAX_AGE_MS / 1000} seconds behind, so nothing is read from it.`,
        "See pg_stat_replication on the primary and the log of the replica: the network, its disk, or long queries hold it up.",
      );
    await sleep(PAUSE_MS);
  }
}

async function ask(client: Client, sql: string): Promise<Position> {
  const { rows } = await client.query<Position>(sql);
  const [row] = rows;
  if (!row) throw new Error("PostgreSQL names no position");
  return row;
}
