import type { Db, Tx } from "../db/db.ts";
import { inOneOrder } from "./host-queue-store.ts";
import type { LeasedJob } from "./job.ts";

/** How a job is given back. */
export type Pause = {
  readonly runAt: Date;
  readonly reason: string;
  readonly leaveLane: boolean;
  /** What it runs before its time for. */
  readonly awaits: string | null;
};

/**
 * Gives a job back until `runAt`. What waits behind it in its lane is put off as
 * well, or every look for due jobs would wade through it.
 */
export async function postponeJob(
  db: Db,
  tx: Tx,
  job: LeasedJob,
  { runAt, reason, leaveLane, awaits }: Pause,
): Promise<void> {
  const until = runAt.toISOString();
  await tx
    .updateTable("jobs")
    .set({
      state: "ready",
      run_at: until,
      turn: until,
      leased_by: null,
      lease_until: null,
      unsettled_leases: 0,
      last_error: reason,
      awaits,
      ...(leaveLane ? { lane: null } : {}),
    })
    .where("id", "=", job.id)
    .execute();
  if (job.lane !== null && !leaveLane)
    await postponeLane(db, tx, job.lane, until);
}

/** The jobs of a lane that are ready are due then at the earliest. */
export async function postponeLane(
  db: Db,
  tx: Tx,
  lane: string,
  until: string,
): Promise<void> {
  const behind = tx
    .selectFrom("jobs")
    .select("id")
    .where("lane", "=", lane)
    .where("state", "=", "ready")
    .where("run_at", "<", until);
  await tx
    .updateTable("jobs")
    .set({ run_at: until, turn: until })
    .where("id", "in", inOneOrder(db, behind))
    .execute();
}

/** Ends a job without success. It stays, to be looked at and retried by hand. */
export async function buryJob(
  tx: Tx,
  job: LeasedJob,
  reason: string,
): Promise<void> {
  await tx
    .updateTable("jobs")
    .set({
      state: "dead",
      leased_by: null,
      lease_until: null,
      unsettled_leases: 0,
      last_error: reason,
      awaits: null,
    })
    .where("id", "=", job.id)
    .execute();
}

/** Gives a job that went well back until `runAt`, as if it had never been tried. */
export async function repeatJob(
  tx: Tx,
  job: LeasedJob,
  runAt: Date,
): Promise<void> {
  await tx
    .updateTable("jobs")
    .set({
      state: "ready",
      attempts: 0,
      run_at: runAt.toISOString(),
      turn: runAt.toISOString(),
      leased_by: null,
      lease_until: null,
      unsettled_leases: 0,
      last_error: null,
      awaits: null,
    })
    .where("id", "=", job.id)
    .execute();
}
