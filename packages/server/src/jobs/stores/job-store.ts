import { sql } from "kysely";
import type { Db, DialectName, Reader, Tx } from "../../db/db.ts";
import { forShare } from "../../db/dialect.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import { logContext } from "../../observability/log-context.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import type { JobKind, NewJob } from "../job.ts";
import { isUnder, serializeLeases, type Lease } from "./lease-rows.ts";

/** A job with the time of its turn. */
type PlacedJob = NewJob<unknown> & {
  readonly kind: Pick<JobKind<never>, "name" | "pool">;
  readonly turn: Date;
};

/** Inserts jobs in this order, with the times of their turns (see `FairOrder`). */
export async function insertJobs(
  db: Db,
  tx: Tx,
  jobs: readonly PlacedJob[],
  now: Date,
): Promise<void> {
  const { requestId = null } = logContext();
  const rows = jobs.map(({ kind, payload, options, turn }) => ({
    kind: kind.name,
    pool: kind.pool,
    payload: JSON.stringify(payload),
    document_id: options.documentId ?? null,
    lane: options.lane ?? null,
    follows: options.follows ?? null,
    band: options.band ?? null,
    host: options.host ?? null,
    run_at: (options.runAt ?? now).toISOString(),
    turn: turn.toISOString(),
    request_id: requestId,
  }));
  await insertRows[db.dialect](tx, rows, now.toISOString());
}

const MAX_BATCH = 500;
const FIELDS = {
  kind: "text",
  pool: "text",
  payload: "text",
  document_id: "bigint",
  lane: "text",
  follows: "text",
  band: "text",
  host: "text",
  run_at: "text",
  turn: "text",
  request_id: "text",
} as const;

type NewRow = Record<keyof typeof FIELDS, string | number | null>;

/**
 * A job is due no earlier than the last one waiting in its lane: a postponed
 * job delays the later ones too, and every poll scans jobs that are due but may
 * not start.
 */
const insertRows = {
  /** Passing a list of two jobs as JSON costs half as much again. */
  sqlite: async (tx: Tx, rows: readonly NewRow[], now: string) => {
    for (const row of rows) await insertRow(tx, { ...row, now });
  },
  /**
   * One statement inserts hundreds: a post to thousands of inboxes enqueues one
   * for each.
   */
  postgres: async (tx: Tx, rows: readonly NewRow[], now: string) => {
    for (let start = 0; start < rows.length; start += MAX_BATCH) {
      const batch = rows.slice(start, start + MAX_BATCH);
      const placed = batch.map((row, place) => ({ place, ...row }));
      await insertList(tx, { now, rows: JSON.stringify(placed) });
    }
  },
} as const;

const insertRow = prepareQuery<NewRow & { now: string }, never>(
  (reader, value) =>
    sql<never>`insert into jobs (kind, pool, state, attempts, created_at,
        payload, document_id, lane, follows, band, host, request_id, run_at, turn)
      select ${value("kind")}, ${value("pool")}, 'ready', 0, ${value("now")},
        ${value("payload")}, ${value("document_id")}, ${value("lane")}, ${value("follows")},
        ${value("band")}, ${value("host")}, ${value("request_id")}, due_at, max(due_at, ${value("turn")})
      from (select max(${value("run_at")}, coalesce((select last.run_at from jobs as last
        where last.lane = ${value("lane")} and last.state <> 'dead'
        order by last.id desc limit 1), '')) as due_at)`.compile(reader),
);

type NewRows = { now: string; rows: string };

/** Joins lists of jobs, each of which keeps its order. */
function joinRows(lists: readonly NewRows[]): NewRows {
  const rows = lists.map((list) => list.rows.slice(1, -1));
  return { now: lists[0]?.now ?? "", rows: `[${rows.join(",")}]` };
}

/**
 * The earlier job stays locked until the new jobs are visible, so that a
 * transaction that releases the lane finds both. By a list of ids: PostgreSQL
 * would read all jobs to join them with the others.
 */
const insertList = prepareQuery<NewRows, unknown>(
  (reader, value) => {
    const fields = Object.entries({ place: "bigint", ...FIELDS }).map(
      ([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`,
    );
    return sql`with given as materialized (select *
        from jsonb_to_recordset(${value("rows")}::jsonb) as row (${sql.join(fields)})),
      waiting as materialized (select lane, run_at from jobs
        where id = any(array(select (select last.id from jobs as last
            where last.lane = given.lane and last.state <> 'dead'
            order by last.id desc limit 1) from given))
          and run_at > ${value("now")}
        order by id for share),
      placed as (select given.*,
          greatest(given.run_at, coalesce(waiting.run_at, '')) as due_at
        from given left join waiting on waiting.lane = given.lane)
      insert into jobs (kind, pool, state, attempts, created_at,
        payload, document_id, lane, follows, band, host, request_id, run_at, turn)
      select kind, pool, 'ready', 0, ${value("now")},
        payload, document_id, lane, follows, band, host, request_id, due_at, greatest(due_at, turn)
      from placed order by place`.compile(reader);
  },
  { combine: joinRows },
);

/**
 * Deletes finished jobs, except those whose lease was taken by another worker.
 * The caller deletes their documents. @returns the ids of the deleted jobs
 */
export async function deleteJobs(
  db: Db,
  tx: Tx,
  jobs: readonly Lease[],
): Promise<Set<number>> {
  const rows = await deleteRows[db.dialect](tx, {
    leases: serializeLeases(jobs),
  });
  return new Set(rows.map(({ id }) => id));
}

const prepareDelete = (dialect: DialectName) =>
  prepareQuery<{ leases: string }, { id: number }>((reader, value) =>
    sql<{ id: number }>`delete from jobs
      where ${isUnder(dialect, value("leases"))} and state <> 'dead'
      returning id`.compile(reader),
  );
const deleteRows = {
  sqlite: prepareDelete("sqlite"),
  postgres: prepareDelete("postgres"),
} as const;

/** An older version of Kith gave recurring jobs up. */
export async function deleteDeadRecurring(
  tx: Tx,
  kinds: readonly string[],
): Promise<void> {
  if (kinds.length === 0) return;
  await tx
    .deleteFrom("jobs")
    .where("kind", "in", kinds)
    .where("state", "=", "dead")
    .execute();
}

/** @returns those of these kinds that have a job */
export async function findRecurring(
  tx: Tx,
  kinds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (kinds.length === 0) return new Set();
  const rows = await tx
    .selectFrom("jobs")
    .select("kind")
    .where("kind", "in", kinds)
    .execute();
  return new Set(rows.map(({ kind }) => kind));
}

/** Makes recurring jobs due now: their times are those of a clock that was set back. */
export async function hurryRecurring(
  tx: Tx,
  kinds: readonly string[],
  now: Date,
): Promise<void> {
  if (kinds.length === 0) return;
  const at = timestamp(now);
  await tx
    .updateTable("jobs")
    .set({ run_at: at, turn: at })
    .where("kind", "in", kinds)
    .where("state", "=", "ready")
    .where("run_at", ">", at)
    .execute();
}

/** Some recur each minute: if all of them wait for longer, a clock that was ahead chose their times. */
const LONGEST_OF_THE_FIRST_MS = 5 * 60_000;
/** No recurring job pauses longer: a later time was chosen by such a clock as well. */
const MAX_RECURRING_PAUSE_MS = 2 * 86_400_000;

/**
 * Makes recurring jobs due now if a clock that was ahead has chosen their times.
 * @param kinds all of this server
 */
export async function mendRecurring(
  tx: Tx,
  kinds: readonly string[],
  now: Date,
): Promise<void> {
  if (kinds.length === 0) return;
  const waiting = await tx
    .selectFrom("jobs")
    .select(["kind", "run_at"])
    .where("kind", "in", kinds)
    .where("state", "=", "ready")
    .execute();
  const isAfter = (ms: number) => (job: { readonly run_at: string }) =>
    job.run_at > timestamp(later(now, ms));
  const wrong = waiting.every(isAfter(LONGEST_OF_THE_FIRST_MS))
    ? waiting
    : waiting.filter(isAfter(MAX_RECURRING_PAUSE_MS));
  await hurryRecurring(
    tx,
    wrong.map(({ kind }) => kind),
    now,
  );
}

/** Does this lane hold a job that has not ended? */
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

/**
 * Does this lane hold a job that is not running? It does not start before the
 * transaction ends, so that it sees the writes of the transaction.
 */
export async function isWaitingIn(
  { dialect }: Db,
  tx: Tx,
  lane: string,
): Promise<boolean> {
  const { rows } = await sql`select id from jobs
    where lane = ${lane} and state = 'ready'
    order by id limit 1 ${forShare(dialect)}`.execute(tx);
  return rows.length > 0;
}
