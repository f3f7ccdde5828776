import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Db, DialectName, Tx } from "../../db/db.ts";
import { byIds, byIndex, isOneOf, skipLocked } from "../../db/dialect.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import { later } from "../../lib/time/clock.ts";
import type { JobPool, LeasedJob } from "../job.ts";
import { isUnder, serializeLeases, type Lease } from "./lease-rows.ts";
import { MAY_START } from "./order-store.ts";
import { MAX_TURN_AHEAD_MS } from "../fair-order.ts";

/**
 * For operators to read. It is never compared with a clock: see `LeaseWatch`.
 */
const LEASE_MS = 10 * 60_000;

/** The hosts whose jobs are wanted; jobs without a host are among `allBut`. */
export type WantedHosts =
  { readonly allBut: readonly string[] } | { readonly only: readonly string[] };

/** The jobs that a worker can run now. */
export type WantedJobs = {
  readonly pool: JobPool;
  readonly kinds: readonly string[];
  readonly hosts: WantedHosts;
};

/** The fields of a due job that decide whether it may start. */
export type DueJob = { readonly id: number; readonly host: string | null };

/**
 * Finds up to `limit` due jobs in the order of their turns, only the first of
 * each lane. It locks nothing, so that an idle server does not write.
 * @param depth how many due jobs are scanned, including those behind others of
 *   their lane
 */
export async function findDueJobs(
  db: Db,
  { pool, kinds, hosts }: WantedJobs,
  { limit, depth }: { readonly limit: number; readonly depth: number },
  now: Date,
): Promise<DueJob[]> {
  const isList = "only" in hosts;
  return findDue[db.dialect][isList ? "only" : "allBut"](db.read, {
    pool,
    kinds: JSON.stringify(kinds),
    hosts: JSON.stringify(isList ? hosts.only : hosts.allBut),
    now: now.toISOString(),
    latest: new Date(now.getTime() + MAX_TURN_AHEAD_MS).toISOString(),
    limit,
    depth,
  });
}

type FindDue = {
  pool: string;
  kinds: string;
  hosts: string;
  now: string;
  latest: string;
  limit: number;
  depth: number;
};

const prepareFindDue = (dialect: DialectName, which: "only" | "allBut") =>
  prepareQuery<FindDue, DueJob>((reader, value) => {
    const isListed = isOneOf(dialect, "host", value("hosts"));
    const isOfHosts: RawBuilder<SqlBool> =
      which === "only" ? isListed : sql`(host is null or not ${isListed})`;
    // Only the first job of each lane is checked for earlier ones.
    return sql<DueJob>`with looked as materialized (
        select id, host, lane, follows, turn from jobs ${byIndex(dialect, "jobs_due")}
        where state = 'ready' and pool = ${value("pool")}
          and turn <= ${value("latest")} and run_at <= ${value("now")}
          and ${isOfHosts} and ${isOneOf(dialect, "kind", value("kinds"))}
        order by turn, id limit ${value("depth")})
      select id, host from looked as jobs
      where (lane is null or id in (
          select min(id) from looked where lane is not null group by lane))
        and ${MAY_START}
      order by turn, id limit ${value("limit")}`.compile(reader);
  });

const prepareFindDueOn = (dialect: DialectName) => ({
  only: prepareFindDue(dialect, "only"),
  allBut: prepareFindDue(dialect, "allBut"),
});
const findDue = {
  sqlite: prepareFindDueOn("sqlite"),
  postgres: prepareFindDueOn("postgres"),
} as const;

/**
 * Leases those jobs that are still due, may start, and are leased by no other
 * worker. Their payloads are read later: an unreadable payload, or one that
 * kills the process, must not roll the lease back.
 */
export async function leaseJobs(
  db: Db,
  tx: Tx,
  worker: number,
  due: readonly DueJob[],
  now: Date,
): Promise<LeasedRow[]> {
  const rows = await lease[db.dialect](tx, {
    ids: JSON.stringify(due.map(({ id }) => id)),
    worker,
    now: now.toISOString(),
    until: leasedUntil(now),
  });
  return rows.sort((a, b) => a.id - b.id);
}

/** A leased job as it is stored. */
export type LeasedRow = Omit<LeasedJob, "payload" | "unreadable"> & {
  readonly payload: string;
};

type LeaseValues = { ids: string; worker: number; now: string; until: string };

const prepareLease = (dialect: DialectName) =>
  prepareQuery<LeaseValues, LeasedRow>((reader, value) =>
    // Materialized: PostgreSQL might evaluate it again for each job, with other
    // results.
    sql<LeasedRow>`with due as materialized (
        select id from jobs ${byIds(dialect)}
        where ${isOneOf(dialect, "id", value("ids"), "bigint")} and state = 'ready' and run_at <= ${value("now")} and ${MAY_START}
          ${skipLocked(dialect)})
      update jobs set state = 'leased', leased_by = ${value("worker")},
        lease_until = ${value("until")}, lease_number = lease_number + 1,
        attempts = attempts + 1, unsettled_leases = unsettled_leases + 1
      where id in (select due.id from due)
      returning id, lease_number as lease, kind, payload,
        document_id as "documentId", lane, host,
        attempts, unsettled_leases as "unsettledLeases",
        created_at as "createdAt", request_id as "requestId"`.compile(reader),
  );
const lease = {
  sqlite: prepareLease("sqlite"),
  postgres: prepareLease("postgres"),
} as const;

/** Renews the leases of running jobs, in one statement. */
export async function renewLeases(
  { dialect }: Db,
  tx: Tx,
  leases: readonly Lease[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable("jobs")
    .set({ lease_until: leasedUntil(now) })
    .where("state", "=", "leased")
    .where(isUnder(dialect, serializeLeases(leases)))
    .execute();
}

const leasedUntil = (now: Date): string => later(now, LEASE_MS).toISOString();
