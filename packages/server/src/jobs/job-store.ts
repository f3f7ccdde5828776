import { sql, type RawBuilder } from "kysely";
import type { Db, DialectName, Reader, Tx } from "../db/db.ts";
import { forShare, isOneOf } from "../db/dialect.ts";
import { prepareQuery } from "../db/prepared-query.ts";
import type { JobKind, NewJob } from "./job.ts";

/**
 * Puts jobs in, in this order, with the times of their turns (see `Turns`).
 * One statement for hundreds: a post to thousands puts in one for each.
 */
export async function insertJobs(
  db: Db,
  tx: Tx,
  kind: Pick<JobKind<never>, "name" | "pool">,
  jobs: readonly (NewJob<unknown> & { readonly turn: Date })[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < jobs.length; start += MAX_LOT) {
    const lot = jobs.slice(start, start + MAX_LOT);
    const waiting = await findLastRunAt(db, tx, lot, now);
    const rows = lot.map(({ payload, options, turn }, place) => {
      const wanted = (options.runAt ?? now).toISOString();
      // Not before the last one that waits in its lane: what is put off holds up
      // those that come later, too, and a job that is due but may not start is
      // looked at again and again.
      const runAt = latest(wanted, waiting.get(options.lane ?? ""));
      return {
        place,
        payload: JSON.stringify(payload),
        document_id: options.documentId ?? null,
        lane: options.lane ?? null,
        host: options.host ?? null,
        run_at: runAt,
        turn: latest(runAt, turn.toISOString()),
      };
    });
    await insertRows[db.dialect](tx, {
      kind: kind.name,
      pool: kind.pool,
      now: now.toISOString(),
      rows: JSON.stringify(rows),
    });
  }
}

const MAX_LOT = 500;

function latest(a: string, b: string | undefined): string {
  return b !== undefined && b > a ? b : a;
}

type NewRows = { kind: string; pool: string; now: string; rows: string };

const prepareInsert = (
  fields: RawBuilder<unknown>,
  from: (rows: string) => RawBuilder<unknown>,
) =>
  prepareQuery<NewRows, unknown>((reader, value) =>
    sql`insert into jobs (kind, pool, state, attempts, created_at,
        payload, document_id, lane, host, run_at, turn)
      select ${value("kind")}, ${value("pool")}, 'ready', 0, ${value("now")}, ${fields}
      from ${from(value("rows"))}`.compile(reader),
  );
const FIELDS = ["payload", "document_id", "lane", "host", "run_at", "turn"];
const insertRows = {
  sqlite: prepareInsert(
    sql.join(FIELDS.map((name) => sql`value ->> ${sql.lit(name)}`)),
    (rows) => sql`json_each(${rows}) order by key`,
  ),
  postgres: prepareInsert(
    sql.join(FIELDS.map((name) => sql.ref(name))),
    (rows) => sql`jsonb_to_recordset(${rows}::jsonb) as given (place bigint,
      payload text, document_id bigint, lane text, host text, run_at text,
      turn text) order by place`,
  ),
} as const;

/**
 * When the last one that waits in each lane is due, where that is later than now.
 * It stays as it is until the new jobs can be seen, so that whoever lets the lane
 * go finds both.
 */
async function findLastRunAt(
  db: Db,
  tx: Tx,
  jobs: readonly NewJob<unknown>[],
  now: Date,
): Promise<Map<string, string>> {
  const lanes = new Set(jobs.flatMap(({ options }) => options.lane ?? []));
  if (lanes.size === 0) return new Map();
  const rows = await lastRunAt[db.dialect](tx, {
    lanes: JSON.stringify([...lanes]),
    now: now.toISOString(),
  });
  return new Map(rows.map(({ lane, run_at }) => [lane, run_at]));
}

const prepareLastRunAt = (
  dialect: DialectName,
  from: (lanes: string) => RawBuilder<unknown>,
) =>
  prepareQuery<
    { lanes: string; now: string },
    { lane: string; run_at: string }
  >((reader, value) =>
    sql<{ lane: string; run_at: string }>`select lane, run_at from jobs
        where id in (select (select last.id from jobs as last
            where last.lane = given.value and last.state = 'ready'
            order by last.id desc limit 1)
          from ${from(value("lanes"))})
          and run_at > ${value("now")}
        order by id ${forShare(dialect)}`.compile(reader),
  );
const lastRunAt = {
  sqlite: prepareLastRunAt(
    "sqlite",
    (lanes) => sql`json_each(${lanes}) as given`,
  ),
  postgres: prepareLastRunAt(
    "postgres",
    (lanes) => sql`jsonb_array_elements_text(${lanes}::jsonb) as given(value)`,
  ),
} as const;

/** Removes finished jobs. Their documents are the caller's to look after. */
export async function deleteJobs(
  db: Db,
  tx: Tx,
  ids: readonly number[],
): Promise<void> {
  await deleteRows[db.dialect](tx, { ids: JSON.stringify(ids) });
}

const prepareDelete = (dialect: DialectName) =>
  prepareQuery<{ ids: string }, unknown>((reader, value) =>
    sql`delete from jobs where ${isOneOf(dialect, "id", value("ids"), "bigint")}`.compile(
      reader,
    ),
  );
const deleteRows = {
  sqlite: prepareDelete("sqlite"),
  postgres: prepareDelete("postgres"),
} as const;

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
