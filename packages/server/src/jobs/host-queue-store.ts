import { sql, type SelectQueryBuilder } from "kysely";
import type { Db, Tx } from "../db/db.ts";
import { forUpdate } from "../db/dialect.ts";
import type { Database } from "../db/schema.ts";
import type { SettledJob } from "./job.ts";
import { readPayload } from "./payload.ts";

/** So many of a host's jobs are released at once, and as many more after each pause. */
const LOT = 1_000;
const PAUSE_MS = 2_000;

/** An attempt out of turn is not counted. */
export const UNCOUNTED = sql<number>`case when attempts > 0 then attempts - 1 else 0 end`;

/** Locks them in the order of their ids, so that two who change the same jobs wait instead of dying. */
export function inOneOrder<T extends { id: number }>(
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

/** Makes due at `at` what is due later. */
async function bringForward(
  db: Db,
  tx: Tx,
  host: string,
  at: string,
  limit: number,
): Promise<bigint> {
  const chosen = waitingFor(tx, host).where("run_at", ">", at).limit(limit);
  const { numUpdatedRows } = await tx
    .updateTable("jobs")
    .set({
      run_at: at,
      turn: at,
      attempts: UNCOUNTED,
    })
    .where("id", "in", inOneOrder(db, chosen))
    .where("state", "=", "ready")
    .executeTakeFirst();
  return numUpdatedRows;
}

/**
 * Makes what waits for `host` due now: all of it, or the one job that would have
 * come next. Of a long backlog the first thousand, and as many more each two
 * seconds: all that is due and may not start yet is looked at again and again. An
 * attempt out of turn is not counted, or a host that is half awake would use them
 * up within minutes.
 */
export async function releaseHostJobs(
  db: Db,
  tx: Tx,
  host: string,
  now: Date,
  which: "all" | "next",
): Promise<void> {
  if (which === "next") return releaseNext(tx, host, now);
  for (let atMs = now.getTime(); ;) {
    const at = new Date(atMs).toISOString();
    const released = await bringForward(db, tx, host, at, LOT);
    // Until there are none: those that were put in while this one waited for the lane can be seen now.
    if (released === 0n) return;
    if (released >= LOT) atMs += PAUSE_MS;
  }
}

async function releaseNext(tx: Tx, host: string, now: Date): Promise<void> {
  const at = now.toISOString();
  const next = waitingFor(tx, host)
    .where("run_at", ">", at)
    .orderBy("run_at")
    .orderBy("id")
    .limit(1);
  await tx
    .updateTable("jobs")
    .set({
      run_at: at,
      turn: at,
      attempts: UNCOUNTED,
    })
    .where("id", "in", next)
    .where("state", "=", "ready")
    .execute();
}

/** Puts off what waits for `host` and would be due before `until`. */
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
    .where("id", "in", inOneOrder(db, early))
    .where("state", "=", "ready")
    .execute();
}

/** Ends what has waited for `host` since before `since`. It stays, to be looked at. @returns it */
export async function buryHostJobs(
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
    .where("id", "in", inOneOrder(db, old))
    .where("state", "=", "ready")
    .returning(["id", "kind", "payload", "host"])
    .execute();
  return rows.flatMap((row) => {
    const { payload, unreadable } = readPayload(row.payload);
    return unreadable === undefined ? [{ ...row, payload, isDone: false }] : [];
  });
}
