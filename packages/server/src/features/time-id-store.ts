import { sql, type Insertable, type RawBuilder } from "kysely";
import type { Tx } from "../db/db.ts";
import {
  dialectOf,
  prepareQuery,
  type PreparedQuery,
  type SqlInput,
} from "../db/prepared-query.ts";
import type { Database } from "../db/schema.ts";
import { isAwaited } from "../jobs/wake-store.ts";
import type { Timestamp } from "../lib/clock.ts";
import {
  insertWithTimeId,
  timeIdRange,
  type TimeIdKind,
  type TimeIdRange,
} from "./time-id.ts";

const TABLES = {
  post: "posts",
  comment: "comments",
  event: "events",
} as const satisfies Record<TimeIdKind, keyof Database>;

/** Every column but the id. */
type Columns<Kind extends TimeIdKind> = Omit<
  Insertable<Database[(typeof TABLES)[Kind]]>,
  "id"
>;

type Inserted = { readonly id: number; readonly isAwaited: boolean };

/**
 * Inserts a record with an id by its time, the next one that is free. One statement
 * looks for it and inserts, since it runs for everything that is written.
 * @returns also whether a job waits for it under one of its names
 */
export async function insertInTime<Kind extends TimeIdKind>(
  tx: Tx,
  kind: Kind,
  { guid, createdAt }: { guid: string; createdAt: Timestamp },
  now: Date,
  columns: Columns<Kind>,
): Promise<Inserted> {
  const values = columns as unknown as Record<string, SqlInput>;
  const insert = insertOf(kind, Object.keys(values));
  return insertWithTimeId(
    kind,
    timeIdRange(kind, new Date(createdAt), guid, now),
    async (range) => {
      const [row] = await insert(tx, { ...values, ...range });
      return row && { id: row.id, isAwaited: Boolean(row.awaited) };
    },
    async (range) => (await findFree[kind](tx, range)).length === 0,
  );
}

type Row = { id: number; awaited: boolean | number };
type Insert = PreparedQuery<Record<string, SqlInput>, Row>;
const inserts = new Map<string, Insert>();

/** A kind of record is inserted with the same columns each time. */
function insertOf(kind: TimeIdKind, columns: readonly string[]): Insert {
  const key = `${kind} ${columns.join(" ")}`;
  let known = inserts.get(key);
  if (!known) inserts.set(key, (known = prepareInsert(TABLES[kind], columns)));
  return known;
}

function prepareInsert(table: string, columns: readonly string[]): Insert {
  return prepareQuery((reader, value) => {
    const names = sql.join(columns.map((name) => sql.id(name)));
    const values = sql.join(columns.map((name) => value(name)));
    const free = FREE[dialectOf(reader)](table, value("first"), value("end"));
    const uri = columns.includes("uri") ? value("uri") : null;
    return sql<Row>`insert into ${sql.table(table)} (id, ${names})
      select free.id, ${values} from (${free}) as free where true
      on conflict (id) do nothing
      returning id, ${isAwaited(reader, value("guid"), uri)} as awaited`.compile(
      reader,
    );
  });
}

/**
 * The next free id of a range, or no row. On PostgreSQL several look at once and
 * would all find the same, to wait for the first of them to commit and then look
 * again: each reserves what it finds until the end of its transaction, and passes by
 * what others have reserved. SQLite has one writer.
 */
const FREE = {
  sqlite: (table: string, first: SqlInput, end: SqlInput) =>
    sql<{ id: number }>`select id
      from (select ${next(table, first, end)} as id) as next
      where id < ${end}`,
  postgres: (table: string, first: SqlInput, end: SqlInput) =>
    sql<{ id: number }>`select id
      from (select generate_series(${next(table, first, end)}, ${end}::bigint - 1) as id) as next
      where pg_try_advisory_xact_lock(id) limit 1`,
} as const;

/** Said to be numbers, since PostgreSQL cannot tell before they come. */
function next(
  table: string,
  first: SqlInput,
  end: SqlInput,
): RawBuilder<number> {
  const from = sql`cast(${first} as bigint)`;
  return sql`coalesce((select max(id) from ${sql.table(table)}
    where id >= ${from} and id < cast(${end} as bigint)) + 1, ${from})`;
}

const freeIn = (table: string) =>
  prepareQuery<TimeIdRange, { id: number }>((reader, value) =>
    FREE[dialectOf(reader)](table, value("first"), value("end")).compile(
      reader,
    ),
  );

const findFree = {
  post: freeIn(TABLES.post),
  comment: freeIn(TABLES.comment),
  event: freeIn(TABLES.event),
} as const satisfies Record<TimeIdKind, unknown>;
