import { sql, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Db, Tx } from "../../db/db.ts";
import { forUpdate } from "../../db/dialect.ts";
import type { Database } from "../../db/schema/schema.ts";
import { timestamp } from "../../lib/time/clock.ts";

/** Selects jobs by host, by kind, or by both. */
export type JobFilter = {
  /** A host, `name[:port]`, or its origin. */
  readonly host?: string | undefined;
  readonly kind?: string | undefined;
};

/** A job that was removed from the queue. */
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

/** Makes waiting jobs due now. @returns how many had been postponed */
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
    // In the order of ids, so that concurrent writers wait instead of
    // deadlocking.
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

/**
 * A dead job may be retried in its place if no later job of its lane is done or
 * running.
 */
const isNotSuperseded = sql<SqlBool>`(not overtaken and not exists (
  select 1 from jobs as later where later.lane = jobs.lane
    and later.id > jobs.id and later.state = 'leased'))`;

/**
 * Resets dead jobs, which keep their place in their lane. Superseded jobs stay
 * dead.
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
  // The jobs behind them cannot start until they are visible again.
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

/**
 * Deletes up to `limit` jobs that are not running. @returns them, with the
 * documents that they needed
 */
export async function deleteUnleased(
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
