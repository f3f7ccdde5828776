import { sql, type Insertable, type RawBuilder } from "kysely";
import type { Reader, Tx } from "../db/db.ts";
import {
  dialectOf,
  prepareQuery,
  type SqlInput,
} from "../db/prepared-query.ts";
import type { ValueType } from "../db/together/set-form.ts";
import type { Database } from "../db/schema/schema.ts";
import { isAwaited } from "../jobs/stores/wake-store.ts";
import type { Timestamp } from "../lib/time/clock.ts";
import type { CommentId, EventId, PostId } from "./ids.ts";
import {
  insertWithTimeId,
  rememberGiven,
  timeIdRange,
  type TimeIdKind,
  type TimeIdRange,
} from "./time-id.ts";

const TABLES = {
  post: "posts",
  comment: "comments",
  event: "events",
} as const satisfies Record<TimeIdKind, keyof Database>;

type IdOf = {
  readonly post: PostId;
  readonly comment: CommentId;
  readonly event: EventId;
};

/** All columns except the id. */
type Columns<Kind extends TimeIdKind> = Omit<
  Insertable<Database[(typeof TABLES)[Kind]]>,
  "id"
>;

type Inserted<Kind extends TimeIdKind> = {
  readonly id: IdOf[Kind];
  /** Is a deferred job waiting for one of the record's names? */
  readonly isAwaited: boolean;
};

const RANGE = { first: "bigint", end: "bigint" } as const;

type Row<Kind extends TimeIdKind> = {
  id: IdOf[Kind];
  awaited: boolean | number;
};
type Values = Record<string, SqlInput>;
/** @returns undefined if the range is full, or another transaction has just taken the free id */
type Insert<Kind extends TimeIdKind> = (
  tx: Tx,
  values: Values,
  range: TimeIdRange,
) => Promise<Inserted<Kind> | undefined>;

/**
 * Prepares an insert for one kind of record, with the next free id for its time.
 * @param types of the columns, if several of one transaction may be inserted together
 */
export function prepareInsertInTime<Kind extends TimeIdKind>(
  kind: Kind,
  types?: Readonly<Record<keyof Columns<Kind> & string, ValueType>>,
) {
  const findFree = prepareFindFree(kind);
  const given = rememberGiven();
  const inserts = new Map<string, Insert<Kind>>();
  /** Each kind of record is inserted with the same columns every time, so the map stays small. */
  const insertOf = (columns: readonly string[]) => {
    const key = columns.join(" ");
    let known = inserts.get(key);
    if (!known) inserts.set(key, (known = prepareInsert(kind, columns, types)));
    return known;
  };
  return async (
    tx: Tx,
    { guid, createdAt }: { guid: string; createdAt: Timestamp },
    now: Date,
    columns: Columns<Kind> & Values,
  ): Promise<Inserted<Kind>> => {
    const insert = insertOf(Object.keys(columns));
    return insertWithTimeId(
      kind,
      timeIdRange(kind, new Date(createdAt), guid, now),
      async (range) => {
        const inserted = await insert(tx, columns, given.take(range));
        if (inserted) given.add(range, inserted.id);
        return inserted;
      },
      async (range) => (await findFree(tx, given.after(range))).length === 0,
    );
  };
}

/** One statement for every record written. */
function prepareInsert<Kind extends TimeIdKind>(
  kind: Kind,
  columns: readonly string[],
  types?: Readonly<Record<string, ValueType>>,
): Insert<Kind> {
  const table = TABLES[kind];
  const insert = prepareQuery<Values, Row<Kind>>(
    (reader, value) => {
      const free = FREE[dialectOf(reader)](table, value("first"), value("end"));
      return sql<
        Row<Kind>
      >`insert into ${sql.table(table)} (id, ${namesOf(columns)})
        select free.id, ${sql.join(columns.map(value))} from (${free}) as free where true
        on conflict (id) do nothing
        returning id, guid, ${awaited(reader, columns, value)} as awaited`.compile(
        reader,
      );
    },
    types && { types: { ...types, ...RANGE }, by: "guid" },
  );
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
 * Selects the next free id of a range, or no row. On PostgreSQL concurrent transactions
 * would all find the same id, wait for the first one to commit and search again. So each
 * reserves its id until the end of its transaction and skips ids reserved by others.
 * SQLite has a single writer.
 */
const FREE = {
  sqlite: (table: string, first: SqlInput, end: SqlInput) =>
    sql`select id
      from (select ${next(table, first, end)} as id) as next
      where id < ${end}`,
  postgres: (table: string, first: SqlInput, end: SqlInput) =>
    sql`select id
      from (select generate_series(${next(table, first, end)}, ${end}::bigint - 1) as id) as next
      where pg_try_advisory_xact_lock(id) limit 1`,
} as const;

/** The casts are needed because PostgreSQL cannot infer the parameter types. */
function next(
  table: string,
  first: SqlInput,
  end: SqlInput,
): RawBuilder<number> {
  const from = sql`cast(${first} as bigint)`;
  return sql`coalesce((select max(id) from ${sql.table(table)}
    where id >= ${from} and id < cast(${end} as bigint)) + 1, ${from})`;
}

function prepareFindFree<Kind extends TimeIdKind>(kind: Kind) {
  type Free = { id: IdOf[Kind] };
  return prepareQuery<TimeIdRange, Free>((reader, value) => {
    const free = FREE[dialectOf(reader)](
      TABLES[kind],
      value("first"),
      value("end"),
    );
    return sql<Free>`${free}`.compile(reader);
  });
}
