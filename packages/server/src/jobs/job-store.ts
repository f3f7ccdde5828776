import { sql, type SelectQueryBuilder } from "kysely";
import type { Db, DialectName, Reader, Tx } from "../db/db.ts";
import { forShare, forUpdate } from "../db/dialect.ts";
import { prepareQuery } from "../db/prepared-query.ts";
import type { Database } from "../db/schema.ts";
import type { EnqueueOptions, JobKind, LeasedJob } from "./job.ts";

export async function insertJob(
  db: Db,
  tx: Tx,
  kind: Pick<JobKind<never>, "name" | "pool">,
  payload: unknown,
  now: Date,
  options: EnqueueOptions,
): Promise<void> {
  await insertRow(tx, {
    kind: kind.name,
    pool: kind.pool,
    payload: JSON.stringify(payload),
    documentId: options.documentId ?? null,
    lane: options.lane ?? null,
    host: options.host ?? null,
    runAt: await findRunAt(db, tx, options.runAt ?? now, options.lane),
    now: now.toISOString(),
  });
}

type NewRow = {
  kind: string;
  pool: string;
  payload: string;
  documentId: number | null;
  lane: string | null;
  host: string | null;
  runAt: string;
  now: string;
};

const insertRow = prepareQuery<NewRow, unknown>((reader, value) =>
  reader
    .insertInto("jobs")
    .values({
      kind: value("kind"),
      pool: value("pool"),
      payload: value("payload"),
      document_id: value("documentId"),
      lane: value("lane"),
      host: value("host"),
      state: "ready",
      attempts: 0,
      run_at: value("runAt"),
      created_at: value("now"),
    })
    .compile(),
);

/**
 * Not before the last one that waits in its lane: what is put off holds up those
 * that come later, too, and a job that is due but may not start is looked at
 * again and again. That one stays as it is until the new job can be seen, so
 * that whoever lets the lane go finds both.
 */
async function findRunAt(
  db: Db,
  tx: Tx,
  wanted: Date,
  lane: string | undefined,
): Promise<string> {
  const runAt = wanted.toISOString();
  if (lane === undefined) return runAt;
  const [last] = await findLastRunAt[db.dialect](tx, { lane });
  return last && last.run_at > runAt ? last.run_at : runAt;
}

const lastRunAtOn = (dialect: DialectName) =>
  prepareQuery<{ lane: string }, { run_at: string }>((reader, value) =>
    reader
      .selectFrom("jobs")
      .select("run_at")
      .where("lane", "=", value("lane"))
      .where("state", "=", "ready")
      .orderBy("id", "desc")
      .limit(1)
      .modifyEnd(forShare(dialect))
      .compile(),
  );
const findLastRunAt = {
  sqlite: lastRunAtOn("sqlite"),
  postgres: lastRunAtOn("postgres"),
} as const;

/** Removes finished jobs. Their documents are the caller's to look after. */
export async function deleteJobs(
  tx: Tx,
  ids: readonly number[],
): Promise<void> {
  await tx.deleteFrom("jobs").where("id", "in", ids).execute();
}

/**
 * Gives a job back until `runAt`. What waits behind it in its lane is put off as
 * well, or every look for due jobs would wade through it.
 */
export async function postponeJob(
  db: Db,
  tx: Tx,
  job: LeasedJob,
  runAt: Date,
  reason: string,
  leaveLane: boolean,
): Promise<void> {
  const until = runAt.toISOString();
  await tx
    .updateTable("jobs")
    .set({
      state: "ready",
      run_at: until,
      leased_by: null,
      lease_until: null,
      last_error: reason,
      ...(leaveLane ? { lane: null } : {}),
    })
    .where("id", "=", job.id)
    .execute();
  if (job.lane === null || leaveLane) return;
  const behind = tx
    .selectFrom("jobs")
    .select("id")
    .where("lane", "=", job.lane)
    .where("state", "=", "ready")
    .where("run_at", "<", until);
  await tx
    .updateTable("jobs")
    .set({ run_at: until })
    .where("id", "in", inOneOrder(db, behind))
    .execute();
}

/** Locks them in the order of their ids, so that two who change the same jobs wait instead of dying. */
function inOneOrder<T extends { id: number }>(
  { dialect }: Db,
  chosen: SelectQueryBuilder<Database, "jobs", T>,
): SelectQueryBuilder<Database, "jobs", T> {
  return chosen.orderBy("jobs.id").modifyEnd(forUpdate(dialect));
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
      last_error: reason,
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
      leased_by: null,
      lease_until: null,
      last_error: null,
    })
    .where("id", "=", job.id)
    .execute();
}

/**
 * Makes what waits for `host` due now: all of it, or the one job that would have
 * come next. An attempt out of turn is not counted, or a host that is half
 * awake would use them up within minutes.
 */
export async function releaseHostJobs(
  db: Db,
  tx: Tx,
  host: string,
  now: Date,
  which: "all" | "next",
): Promise<void> {
  const waiting = tx
    .selectFrom("jobs")
    .select("id")
    .where("host", "=", host)
    .where("state", "=", "ready")
    .where("run_at", ">", now.toISOString());
  const chosen =
    which === "all"
      ? inOneOrder(db, waiting)
      : waiting.orderBy("run_at").orderBy("id").limit(1);
  const releaseOnce = () =>
    tx
      .updateTable("jobs")
      .set({
        run_at: now.toISOString(),
        attempts: sql<number>`case when attempts > 0 then attempts - 1 else 0 end`,
      })
      .where("id", "in", chosen)
      .where("state", "=", "ready")
      .executeTakeFirst();
  const { numUpdatedRows } = await releaseOnce();
  // Those that were put in while this one waited for the lane can be seen now.
  if (which === "all")
    for (let more = numUpdatedRows; more > 0n;)
      more = (await releaseOnce()).numUpdatedRows;
}

/** Is there a job of this kind that has not ended? */
export async function hasJobOf(reader: Reader, kind: string): Promise<boolean> {
  const row = await reader
    .selectFrom("jobs")
    .select("id")
    .where("kind", "=", kind)
    .where("state", "<>", "dead")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Is there a job in this lane that has not ended? */
export async function hasJobIn(reader: Reader, lane: string): Promise<boolean> {
  return (await findInLane(reader, { lane })).length > 0;
}

const findInLane = prepareQuery<{ lane: string }, { id: number }>(
  (reader, value) =>
    reader
      .selectFrom("jobs")
      .select("id")
      .where("lane", "=", value("lane"))
      .where("state", "<>", "dead")
      .limit(1)
      .compile(),
);

/** Is there a job in this lane that does not run yet? */
export async function isWaitingIn(tx: Tx, lane: string): Promise<boolean> {
  const row = await tx
    .selectFrom("jobs")
    .select("id")
    .where("lane", "=", lane)
    .where("state", "=", "ready")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
