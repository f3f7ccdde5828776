import {
  sql,
  type OrderByDirection,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from "kysely";
import { KithError } from "../lib/errors.ts";
import { timestamp } from "../lib/time/clock.ts";

/**
 * A page of a list: at most `limit` records without the first `offset` ones. `before` and
 * `after` are ids of records of the list; the page lies on the older or the newer side of
 * them and begins right beside the one that is given alone. A program that goes on from a
 * record it has gets none twice and skips none that was there, whatever is written meanwhile.
 * Ids of posts and comments go by the time of writing: one that arrives late, or that two
 * people write in one moment, may take its place among older ones.
 */
export type Page = {
  readonly offset: number;
  readonly limit: number;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /**
   * Where the keys stood in a list that is ordered by a time, as far as the program kept that.
   * With it a key may be gone from the list, and one that was never there is no fault.
   */
  readonly places?: {
    readonly before?: number | undefined;
    readonly after?: number | undefined;
  };
};

/** Does the page begin beside a record, and not at an end of the list? */
export const hasKey = ({ before, after }: Page): boolean =>
  before !== undefined || after !== undefined;

export type ListOrder = "newest first" | "oldest first";

/** Is the page read from its end, beginning beside its key, and turned round afterwards? */
export function isReadBackwards(
  { before, after }: Page,
  order: ListOrder = "newest first",
): boolean {
  return order === "newest first"
    ? after !== undefined && before === undefined
    : before !== undefined && after === undefined;
}

/** The order in which the rows of a page are read. */
export function directionOf(
  page: Page,
  order: ListOrder = "newest first",
): OrderByDirection {
  const isDescending = order === "newest first";
  return isDescending === isReadBackwards(page, order) ? "asc" : "desc";
}

/** Is the id in this column between the keys of the page? */
export function isWithin(
  column: string,
  { before, after }: Page,
): RawBuilder<SqlBool> {
  const id = sql.ref(column);
  // The ids of most tables are integers, and a key may be greater than any of them.
  const key = (value: number) => sql`cast(${value} as bigint)`;
  if (before === undefined && after === undefined) return sql<SqlBool>`true`;
  if (before === undefined) return sql<SqlBool>`${id} > ${key(after ?? 0)}`;
  if (after === undefined) return sql<SqlBool>`${id} < ${key(before)}`;
  return sql<SqlBool>`(${id} > ${key(after)} and ${id} < ${key(before)})`;
}

/** Reads one page of the rows of a query, which has no order of its own. */
export async function fetchPage<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  column: string,
  page: Page,
  order: ListOrder = "newest first",
): Promise<Row[]> {
  const rows = await query
    .where(isWithin(column, page))
    .orderBy(sql.ref(column), directionOf(page, order))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return isReadBackwards(page, order) ? rows.reverse() : rows;
}

type TimeOrder = {
  /** The column of the time by which the list is ordered. */
  readonly time: string;
  /** The column of the id, which orders records of the same time. */
  readonly id: string;
  readonly order: ListOrder;
  /** Does the column have numbers, and not timestamps? */
  readonly isNumbered?: boolean;
  /** Is the time an id of the same space as that of the records, and never less than it? */
  readonly isTimeId?: boolean;
};

/** The end of the year 9999: later times have more digits, and would come first among texts. */
const LAST_MS = 253_402_300_799_999;

/** A place as its column has it. */
function timeAt(place: number, { isNumbered }: TimeOrder): RawBuilder<unknown> {
  return isNumbered
    ? sql`cast(${place} as bigint)`
    : sql`${timestamp(new Date(Math.min(place, LAST_MS)))}`;
}

/**
 * Reads one page of a list that is ordered by a time. Its keys must be ids of records of
 * the query, so that nothing can be learnt from those of others. Where the page has places,
 * they say where the keys stood; nothing is known to be older than an unknown key without a
 * place, so that a program that asks again and again comes to an end.
 * @throws {KithError} `bad_request` for any other key
 */
export async function fetchPageByTime<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  page: Page,
  by: TimeOrder,
): Promise<Row[]> {
  const { time, id, order } = by;
  let within = query;
  for (const name of ["before", "after"] as const) {
    const key = page[name];
    if (key === undefined) continue;
    const at = await findTimeOfKey(query, page, name, by);
    if (at === undefined) {
      if (!page.places)
        throw new KithError(
          "bad_request",
          `The parameter ${name} must be the ID of a record of this list.`,
        );
      if (name === "before") return [];
      continue;
    }
    within = within.where(
      sql<SqlBool>`(${sql.ref(time)}, ${sql.ref(id)})
        ${sql.raw(name === "before" ? "<" : ">")} (${at}, cast(${key} as bigint))`,
    );
  }
  const direction = directionOf(page, order);
  const rows = await within
    .orderBy(sql.ref(time), direction)
    .orderBy(sql.ref(id), direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return isReadBackwards(page, order) ? rows.reverse() : rows;
}

async function findTimeOfKey<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { places, ...page }: Page,
  name: "before" | "after",
  by: TimeOrder,
): Promise<RawBuilder<unknown> | undefined> {
  const place = places?.[name];
  if (place !== undefined) return timeAt(place, by);
  const key = page[name];
  const record = query
    .clearSelect()
    .select(sql<string>`${sql.ref(by.time)}`.as("key_time"))
    .where(sql<SqlBool>`${sql.ref(by.id)} = cast(${key} as bigint)`)
    .$castTo<{ key_time: string }>();
  const [found] = await record.execute();
  if (found) return sql`${found.key_time}`;
  // Such as the id of the newest message, which stands where its conversation does.
  return places && key !== undefined && by.isTimeId
    ? timeAt(key, by)
    : undefined;
}

/** The page of a list that is at hand as a whole. */
export function slicePage<T extends { readonly id: number }>(
  list: readonly T[],
  page: Page,
  order: ListOrder = "newest first",
): T[] {
  const { before = Infinity, after = -Infinity, offset, limit } = page;
  const within = list.filter(({ id }) => id < before && id > after);
  if (!isReadBackwards(page, order))
    return within.slice(offset, offset + limit);
  return within
    .reverse()
    .slice(offset, offset + limit)
    .reverse();
}
