import { sql, type Insertable, type RawBuilder } from "kysely";
import type { DialectName, Reader, Tx } from "../db/db.ts";
import {
  dialectOf,
  prepareQuery,
  type SqlInput,
} from "../db/prepared-query.ts";
import type { Database } from "../db/schema/schema.ts";
import { isAwaited } from "../jobs/stores/wake-store.ts";
import type { Timestamp } from "../lib/time/clock.ts";
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
 * Inserts a record with an id by its time, the next one that is free.
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
  const insert = insertOf(dialectOf(tx), kind, Object.keys(values));
  return insertWithTimeId(
    kind,
    timeIdRange(kind, new Date(createdAt), guid, now),
    (range) => insert(tx, values, range),
    async (range) => (await findFree[kind](tx, range)).length === 0,
  );
}

type Row = { id: number; awaited: boolean | number };
type Values = Record<string, SqlInput>;
/** @returns undefined where the range is full, or somebody else took what was free */
type Insert = (
  tx: Tx,
  values: Values,
  range: TimeIdRange,
) => Promise<Inserted | undefined>;
const inserts = new Map<string, Insert>();

/** A kind of record is inserted with the same columns each time. */
function insertOf(
  dialect: DialectName,
  kind: TimeIdKind,
  columns: readonly string[],
): Insert {
  const key = `${dialect} ${kind} ${columns.join(" ")}`;
  let known = inserts.get(key);
  if (!known) inserts.set(key, (known = INSERTS[dialect](kind, columns)));
  return known;
}

/**
 * It runs for everything that is written. On SQLite three plain statements cost half
 * as much as the one that PostgreSQL gets: a statement that reads the table it writes
 * to, and answers, keeps both in tables of its own. PostgreSQL takes as long for the
 * way to it as for the work.
 */
const INSERTS: Readonly<
  Record<DialectName, (kind: TimeIdKind, columns: readonly string[]) => Insert>
> = {
  sqlite: insertStepwise,
  postgres: insertAtOnce,
};

function insertStepwise(kind: TimeIdKind, columns: readonly string[]): Insert {
  const insert = prepareQuery<Values, never>((reader, value) =>
    sql<never>`insert into ${sql.table(TABLES[kind])} (id, ${namesOf(columns)})
        values (${value("id")}, ${sql.join(columns.map(value))})`.compile(
      reader,
    ),
  );
  const askAwaited = prepareQuery<Values, Pick<Row, "awaited">>(
    (reader, value) =>
      sql<Pick<Row, "awaited">>`select
        ${awaited(reader, columns, value)} as awaited`.compile(reader),
  );
  return async (tx, values, range) => {
    const [free] = await findFree[kind](tx, range);
    if (!free) return undefined;
    await insert(tx, { ...values, id: free.id });
    const [row] = await askAwaited(tx, values);
    return { id: free.id, isAwaited: Boolean(row?.awaited) };
  };
}

function insertAtOnce(kind: TimeIdKind, columns: readonly string[]): Insert {
  const table = TABLES[kind];
  const insert = prepareQuery<Values, Row>((reader, value) => {
    const free = FREE[dialectOf(reader)](table, value("first"), value("end"));
    return sql<Row>`insert into ${sql.table(table)} (id, ${namesOf(columns)})
        select free.id, ${sql.join(columns.map(value))} from (${free}) as free where true
        on conflict (id) do nothing
        returning id, ${awaited(reader, columns, value)} as awaited`.compile(
      reader,
    );
  });
  return async (tx, values, range) => {
    const [row] = await insert(tx, { ...values, ...range });
    return row && { id: row.id, isAwaited: Boolean(row.awaited) };
  };
}

const namesOf = (columns: readonly string[]) =>
  sql.join(columns.map((name) => sql.id(name)));

const awaited = (
  reader: Reader,
  columns: readonly string[],
  value: (name: string) => SqlInput,
) =>
  isAwaited(
    reader,
    value("guid"),
    columns.includes("uri") ? value("uri") : null,
  );

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
