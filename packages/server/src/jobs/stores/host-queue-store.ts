import { sql, type SelectQueryBuilder, type SqlBool } from "kysely";
import type { Db, Tx } from "../../db/db.ts";
import { forUpdate } from "../../db/dialect.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { SettledJob } from "../job.ts";
import { readPayload } from "../payload.ts";
import { MAY_START } from "./order-store.ts";

/**
 * The number of a host's jobs that are released together; the next batch
 * follows after a pause.
 */
const BATCH_SIZE = 1_000;
const PAUSE_MS = 2_000;

/**
 * Locks jobs in the order of their ids, so that concurrent writers wait instead
 * of deadlocking.
 */
export function lockInIdOrder<T extends { id: number }>(
  { dialect }: Db,
  chosen: SelectQueryBuilder<Database, "jobs", T>,
): SelectQueryBuilder<Database, "jobs", T> {
  return chosen.orderBy("jobs.id").modifyEnd(forUpdate(dialect));
}

const waitingFor = (tx: Tx, host: string) =>
  tx
    .selectFrom("jobs")
    .select("id")
    .where("host", "=", host)
    .where("state", "=", "ready");

/**
 * Which of a host's waiting jobs may run: all; those that have not failed since
 * they were brought forward; or, of these, the one with the fewest attempts.
 */
export type Released = "all" | "free" | "next";

/**
 * Makes later jobs due at `at`; a job that is not free is due no earlier than
 * its own schedule allows.
 */
async function bringForward(
  db: Db,
  tx: Tx,
  { host, which }: { readonly host: string; readonly which: "all" | "free" },
  at: string,
): Promise<bigint> {
  const later = waitingFor(tx, host).where("run_at", ">", at).limit(BATCH_SIZE);
  const isLater = sql<SqlBool>`(not_before is null or not_before < run_at)`;
  const chosen = which === "all" ? later : later.where(isLater);
  const ownTime = sql<string>`case when not_before > ${at} then not_before else ${at} end`;
  const time = which === "all" ? at : ownTime;
  const { numUpdatedRows } = await tx
    .updateTable("jobs")
    .set({
      ...{ run_at: time, turn: time },
      ...(which === "all" ? FORWARD_ANYWAY : FORWARD),
    })
    .where("id", "in", lockInIdOrder(db, chosen))
    .where("state", "=", "ready")
    .executeTakeFirst();
  return numUpdatedRows;
}

/**
 * A job that was tried before gets one attempt out of turn, and then its place
 * before the jobs that follow it.
 */
const FORWARD = {
  brought_forward: sql<boolean>`(not_before is null and attempts > 0)`,
  steps_aside: sql<boolean>`(steps_aside and not_before is not null)`,
};
const FORWARD_ANYWAY = {
  brought_forward: sql<boolean>`(attempts > 0)`,
  steps_aside: false,
  not_before: null,
};

/**
 * Makes the jobs waiting for `host` due now. A long backlog is released in
 * batches of a thousand, two seconds apart, because every poll scans jobs that
 * are due but may not start. A job that failed after such a release is not free
 * until an attempt on its own schedule, so that a job the host refuses is not
 * retried each time the host accepts another.
 */
export async function releaseHostJobs(
  db: Db,
  tx: Tx,
  host: string,
  now: Date,
  which: Released,
): Promise<void> {
  if (which === "next") return releaseNext(tx, host, now);
  for (let atMs = now.getTime(); ;) {
    const at = new Date(atMs).toISOString();
    const released = await bringForward(db, tx, { host, which }, at);
    // Repeat until none is left: jobs enqueued while this transaction waited
    // for the lane are visible now.
    if (released === 0n) return;
    if (released >= BATCH_SIZE) atMs += PAUSE_MS;
  }
}

/**
 * The job with the fewest attempts, so that a refused job is not the only
 * probe.
 */
async function releaseNext(tx: Tx, host: string, now: Date): Promise<void> {
  const at = now.toISOString();
  const next = waitingFor(tx, host)
    .where("run_at", ">", at)
    .where((eb) =>
      eb.or([eb("not_before", "is", null), eb("not_before", "<=", at)]),
    )
    .where(MAY_START)
    .orderBy("attempts")
    .orderBy("run_at")
    .orderBy("id")
    .limit(1);
  await tx
    .updateTable("jobs")
    .set({ run_at: at, turn: at, ...FORWARD })
    .where("id", "in", next)
    .where("state", "=", "ready")
    .execute();
}

/** Does any job wait or run for `host`? */
export async function hasJobsFor(tx: Tx, host: string): Promise<boolean> {
  const row = await tx
    .selectFrom("jobs")
    .select("id")
    .where("host", "=", host)
    .where("state", "<>", "dead")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes later jobs of this lane due at `at`. */
export async function hurryLane(tx: Tx, lane: string, at: Date): Promise<void> {
  const time = at.toISOString();
  await tx
    .updateTable("jobs")
    .set({ run_at: time, turn: time })
    .where("lane", "=", lane)
    .where("state", "=", "ready")
    .where("run_at", ">", time)
    .execute();
}

/** Postpones jobs for `host` that would be due before `until`. */
export async function holdHostJobs(
  db: Db,
  tx: Tx,
  host: string,
  until: Date,
): Promise<void> {
  const at = until.toISOString();
  const early = waitingFor(tx, host).where("run_at", "<", at);
  await tx
    .updateTable("jobs")
    .set({ run_at: at, turn: at })
    .where("id", "in", lockInIdOrder(db, early))
    .where("state", "=", "ready")
    .execute();
}

/**
 * Marks jobs dead that have waited for `host` since before `since`. They stay
 * for inspection. @returns them
 */
export async function markHostJobsDead(
  db: Db,
  tx: Tx,
  host: string,
  since: Date,
  reason: string,
  now: Date,
): Promise<SettledJob[]> {
  const old = waitingFor(tx, host).where(
    "created_at",
    "<",
    since.toISOString(),
  );
  const rows = await tx
    .updateTable("jobs")
    .set({ state: "dead", died_at: now.toISOString(), last_error: reason })
    .where("id", "in", lockInIdOrder(db, old))
    .where("state", "=", "ready")
    .returning(["id", "kind", "payload", "host"])
    .execute();
  return rows.flatMap((row) => {
    const { payload, unreadable } = readPayload(row.payload);
    return unreadable === undefined ? [{ ...row, payload, isDone: false }] : [];
  });
}
