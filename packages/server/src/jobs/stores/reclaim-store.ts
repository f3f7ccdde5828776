import { sql } from "kysely";
import type { Db, Reader, Tx } from "../../db/db.ts";
import { forUpdate, isOneOf } from "../../db/dialect.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import { backOffMs } from "../back-off.ts";
import {
  isUnder,
  serializeLeases,
  type Lease,
  type ObservedLease,
} from "./lease-rows.ts";
import { postponeLane } from "./settle-store.ts";

/** This lease does not count against the job. */
const UNCOUNTED_LEASE = sql<number>`case when unsettled_leases > 0 then unsettled_leases - 1 else 0 end`;

/** A lease with its holder. */
export type ListedLease = ObservedLease & { readonly holder: number };

/**
 * All leases that are held now: as many as there are slots in all processes.
 */
export async function listLeases(reader: Reader): Promise<ListedLease[]> {
  const rows = await reader
    .selectFrom("jobs")
    .select(["id", "lease_number", "lease_until", "leased_by"])
    .where("state", "=", "leased")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    lease: row.lease_number,
    until: row.lease_until,
    holder: row.leased_by ?? NO_HOLDER,
  }));
}

/** No instance has this number. */
const NO_HOLDER = 0;

const updateUncounted = ({ dialect }: Db, tx: Tx, leases: readonly Lease[]) =>
  tx
    .updateTable("jobs")
    .set({ unsettled_leases: UNCOUNTED_LEASE })
    .where("state", "=", "leased")
    .where(isUnder(dialect, serializeLeases(leases)));

/**
 * Releases leases of jobs that their instance does not run. They do not count:
 * the instance is alive, so the jobs did not kill it.
 */
export async function releaseLeases(
  db: Db,
  tx: Tx,
  leases: readonly Lease[],
): Promise<void> {
  await updateUncounted(db, tx, leases)
    .set({ state: "ready", leased_by: null, lease_until: null })
    .execute();
}

/**
 * Does not count these leases, and leaves them in place: the jobs may still
 * write.
 */
export async function uncountLeases(
  db: Db,
  tx: Tx,
  leases: readonly Lease[],
): Promise<void> {
  await updateUncounted(db, tx, leases).execute();
}

/**
 * Explains to operators why a job that was never settled is postponed or dead.
 */
export function unsettledReason(starts: number): string {
  return `Started ${starts} times without finishing`;
}

type Abandoned = {
  readonly id: number;
  readonly lane: string | null;
  readonly unsettled_leases: number;
};

/**
 * Reclaims the leases of instances that have ended or do not renew them. A job
 * is due immediately the first time, and after a back-off from the second time
 * on: one of the jobs may kill every process that runs it, and jitter separates
 * the others from it.
 */
export async function reclaimLeases(
  db: Db,
  tx: Tx,
  leases: readonly Lease[],
  now: Date,
): Promise<number> {
  const abandoned = await lockAbandoned(db, tx, leases);
  const again = abandoned.filter((job) => job.unsettled_leases >= 2);
  const first = abandoned.filter((job) => job.unsettled_leases < 2);
  if (first.length > 0)
    await tx
      .updateTable("jobs")
      .set({ state: "ready", leased_by: null, lease_until: null })
      .where(isOneOf(db.dialect, "id", idsOf(first), "bigint"))
      .execute();
  if (again.length > 0) await lockLanes(db, tx, again);
  for (const job of again) await backOff(db, tx, job, now);
  return abandoned.length;
}

const idsOf = (jobs: readonly { readonly id: number }[]): string =>
  JSON.stringify(jobs.map(({ id }) => id));

/** Some may have been settled since they were listed. */
function lockAbandoned(
  { dialect }: Db,
  tx: Tx,
  leases: readonly Lease[],
): Promise<Abandoned[]> {
  return tx
    .selectFrom("jobs")
    .select(["id", "lane", "unsettled_leases"])
    .where("state", "=", "leased")
    .where(isUnder(dialect, serializeLeases(leases)))
    .orderBy("id")
    .modifyEnd(forUpdate(dialect))
    .execute();
}

/**
 * Locks the waiting jobs of these lanes in the order of their ids, so that
 * concurrent writers wait instead of deadlocking.
 */
async function lockLanes(
  { dialect }: Db,
  tx: Tx,
  jobs: readonly Abandoned[],
): Promise<void> {
  const lanes = jobs.flatMap(({ lane }) => lane ?? []);
  if (lanes.length === 0) return;
  await tx
    .selectFrom("jobs")
    .select("id")
    .where(isOneOf(dialect, "lane", JSON.stringify(lanes)))
    .where("state", "=", "ready")
    .orderBy("id")
    .modifyEnd(forUpdate(dialect))
    .execute();
}

/**
 * Postpones its lane too, or every poll would scan jobs that are due but may
 * not start.
 */
async function backOff(
  db: Db,
  tx: Tx,
  { id, lane, unsettled_leases: leases }: Abandoned,
  now: Date,
): Promise<void> {
  const until = timestamp(later(now, backOffMs(leases)));
  await tx
    .updateTable("jobs")
    .set({
      state: "ready",
      run_at: until,
      turn: until,
      leased_by: null,
      lease_until: null,
      last_error: unsettledReason(leases),
    })
    .where("id", "=", id)
    .execute();
  if (lane !== null) await postponeLane(db, tx, lane, until);
}
