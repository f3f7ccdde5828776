import { sql, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Db, Reader, Tx } from "../db/db.ts";
import { skipLocked } from "../db/dialect.ts";
import type { Database } from "../db/schema.ts";
import type { JobPool, LeasedJob } from "./job.ts";

/** Long enough for the slowest job; a worker that dies is noticed by its lock, not by this. */
const LEASE_MS = 10 * 60_000;

/** Which jobs a worker can do now. */
export type WantedJobs = {
  readonly pool: JobPool;
  readonly kinds: readonly string[];
  /** Hosts that have enough jobs running. */
  readonly exceptHosts: readonly string[];
};

/** A job is not started before those that came earlier in its lane have ended. */
const isFirstOfLane = sql<SqlBool>`(jobs.lane is null or not exists (
  select 1 from jobs as earlier where earlier.lane = jobs.lane
    and earlier.id < jobs.id and earlier.state <> 'dead'))`;

const isWanted =
  ({ pool, kinds, exceptHosts }: WantedJobs, now: Date) =>
  (eb: ExpressionBuilder<Database, "jobs">) =>
    eb.and([
      eb("state", "=", "ready"),
      eb("pool", "=", pool),
      eb("run_at", "<=", now.toISOString()),
      kinds.length > 0 ? eb("kind", "in", kinds) : eb.lit(false),
      ...(exceptHosts.length > 0
        ? [eb.or([eb("host", "is", null), eb("host", "not in", exceptHosts)])]
        : []),
      isFirstOfLane,
    ]);

/** Takes up to `limit` due jobs, only the first of each lane. */
export async function leaseJobs(
  db: Db,
  tx: Tx,
  worker: number,
  wanted: WantedJobs,
  limit: number,
  now: Date,
): Promise<LeasedJob[]> {
  const rows = await tx
    // Written down once: PostgreSQL might read it anew for each job, and get others each time.
    .with(
      (cte) => cte("due").materialized(),
      (reader) =>
        reader
          .selectFrom("jobs")
          .select("id")
          .where(isWanted(wanted, now))
          .orderBy("run_at")
          .orderBy("id")
          .limit(limit)
          .modifyEnd(skipLocked(db.dialect)),
    )
    .updateTable("jobs")
    .set((eb) => ({
      state: "leased",
      leased_by: worker,
      lease_until: new Date(now.getTime() + LEASE_MS).toISOString(),
      attempts: eb("attempts", "+", 1),
    }))
    .where("id", "in", (eb) => eb.selectFrom("due").select("due.id"))
    .returning([
      "id",
      "kind",
      "payload",
      "document_id",
      "lane",
      "host",
      "attempts",
      "created_at",
    ])
    .execute();
  return rows
    .sort((a, b) => a.id - b.id)
    .map((row) => ({
      id: row.id,
      kind: row.kind,
      payload: JSON.parse(row.payload) as unknown,
      documentId: row.document_id,
      lane: row.lane,
      host: row.host,
      attempts: row.attempts,
      createdAt: row.created_at,
    }));
}

/** A cheap look before the lease, so that an idle server does not write. */
export async function hasDueJob(
  reader: Reader,
  wanted: WantedJobs,
  now: Date,
): Promise<boolean> {
  const row = await reader
    .selectFrom("jobs")
    .select("id")
    .where(isWanted(wanted, now))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The instances that hold leases. */
export async function listLeaseHolders(reader: Reader): Promise<number[]> {
  const rows = await reader
    .selectFrom("jobs")
    .select("leased_by")
    .distinct()
    .where("state", "=", "leased")
    .execute();
  return rows.flatMap((row) => (row.leased_by === null ? [] : [row.leased_by]));
}

/** Takes the leases of instances that have ended, and those that ran out. */
export async function reclaimLeases(
  tx: Tx,
  endedInstances: readonly number[],
  now: Date,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("jobs")
    .set({ state: "ready", leased_by: null, lease_until: null })
    .where("state", "=", "leased")
    .where((eb) =>
      eb.or([
        eb("lease_until", "<", now.toISOString()),
        ...(endedInstances.length > 0
          ? [eb("leased_by", "in", [...endedInstances])]
          : []),
      ]),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
