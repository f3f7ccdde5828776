import { sql, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Db, Tx } from "../../db/db.ts";
import { forUpdate } from "../../db/dialect.ts";
import type { Database } from "../../db/schema/schema.ts";
import { timestamp } from "../../lib/time/clock.ts";

/** Which jobs an operator speaks of. Of both, those that are of the one and the other. */
export type JobFilter = {
  /** A host, `name[:port]`, or its origin. */
  readonly host?: string | undefined;
  readonly kind?: string | undefined;
};

/** A job that was taken out of the queue. */
export type DroppedJob = {
  readonly id: number;
  readonly kind: string;
  /** JSON. */
  readonly payload: string;
  readonly host: string | null;
};

export const isOf =
  ({ host, kind }: JobFilter) =>
  (eb: ExpressionBuilder<Database, "jobs">) =>
    eb.and([
      ...(kind === undefined ? [] : [eb("kind", "=", kind)]),
      ...(host === undefined ? [] : [eb("host", "in", originsOf(host))]),
    ]);

function originsOf(host: string): string[] {
  const name = host.toLowerCase().replace(/\/$/, "");
  return name.includes("://") ? [name] : [`https://${name}`, `http://${name}`];
}

/** Makes what waits due now. @returns how many were put off until later */
export async function makeDue(
  db: Db,
  tx: Tx,
  filter: JobFilter,
  now: Date,
): Promise<number> {
  const until = timestamp(now);
  const waiting = tx
    .selectFrom("jobs")
    .select("id")
    .where(isOf(filter))
    .where("state", "=", "ready")
    .where("run_at", ">", until)
    // In one order, so that two who change the same jobs wait instead of dying.
    .orderBy("id")
    .modifyEnd(forUpdate(db.dialect));
  const { numUpdatedRows } = await tx
    .updateTable("jobs")
    .set({ run_at: until, turn: until })
    .where("id", "in", waiting)
    .where("state", "=", "ready")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Of a job that may be tried again in its place: none behind it in its lane has been done, or runs. */
const isNotSuperseded = sql<SqlBool>`(not overtaken and not exists (
  select 1 from jobs as later where later.lane = jobs.lane
    and later.id > jobs.id and later.state = 'leased'))`;

/**
 * Lets those that were given up begin anew, at their old place in their lane.
 * Those that were overtaken stay dead.
 */
export async function retryDead(
  db: Db,
  tx: Tx,
  filter: JobFilter,
  now: Date,
): Promise<number> {
  const dead = tx
    .selectFrom("jobs")
    .where(isOf(filter))
    .where("state", "=", "dead");
  // What waits behind them cannot be started until they can be seen again.
  await tx
    .selectFrom("jobs")
    .select("id")
    .where("lane", "in", dead.select("lane").where("lane", "is not", null))
    .where("state", "=", "ready")
    .orderBy("id")
    .modifyEnd(forUpdate(db.dialect))
    .execute();
  const chosen = dead
    .select("id")
    .where(isNotSuperseded)
    .orderBy("id")
    .modifyEnd(forUpdate(db.dialect));
  const { numUpdatedRows } = await tx
    .updateTable("jobs")
    .set({
      state: "ready",
      died_at: null,
      attempts: 0,
      unsettled_leases: 0,
      run_at: timestamp(now),
      turn: timestamp(now),
    })
    .where("id", "in", chosen)
    .where("state", "=", "dead")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Takes up to `limit` jobs out that do not run. @returns them, with the documents that they needed */
export async function deleteWaiting(
  db: Db,
  tx: Tx,
  filter: JobFilter,
  limit: number,
): Promise<(DroppedJob & { readonly documentId: number | null })[]> {
  const chosen = tx
    .selectFrom("jobs")
    .select("id")
    .where(isOf(filter))
    .where("state", "<>", "leased")
    .orderBy("id")
    .limit(limit)
    .modifyEnd(forUpdate(db.dialect));
  const rows = await tx
    .deleteFrom("jobs")
    .where("id", "in", chosen)
    .where("state", "<>", "leased")
    .returning(["id", "kind", "payload", "host", "document_id"])
    .execute();
  return rows.map(({ document_id, ...row }) => ({
    ...row,
    documentId: document_id,
  }));
}
