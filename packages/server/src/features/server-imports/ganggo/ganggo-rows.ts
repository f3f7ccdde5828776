import type {
  ForeignDatabase,
  ForeignRow,
} from "../../../db/foreign/foreign-database.ts";
import { OperatorError } from "../../../lib/errors.ts";
import { timestamp, type Timestamp } from "../../../lib/time/clock.ts";
import { storableText } from "../../../lib/well-formed.ts";

const TABLES = [
  ...(["aspect_memberships", "aspect_visibilities", "aspects"] as const),
  ...(["comments", "contacts", "likes", "people", "photos"] as const),
  ...(["posts", "profiles", "shareables", "users"] as const),
];

/** @throws {OperatorError} if a table of GangGo is missing */
export async function checkGanggo({ listTables }: ForeignDatabase) {
  const tables = await listTables();
  const missing = TABLES.filter((name) => !tables.has(name));
  if (missing.length > 0)
    throw new OperatorError(
      `This is no database of GangGo: it lacks ${missing.join(", ")}.`,
    );
  return tables;
}

const PAGE = 500;

/** Reads all rows in the order of their ids. @param from what follows `select`, with `?1` and `?2` */
export async function* readAll(
  database: ForeignDatabase,
  from: string,
  id = "id",
): AsyncGenerator<ForeignRow> {
  const sql = `select ${from} order by ${id} limit ?2`;
  for (let after = 0; ;) {
    const rows = await database.read(sql, [after, PAGE]);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return;
    after = numberIn(last, "id");
  }
}

export function textIn(row: ForeignRow, column: string): string {
  return storableText(row[column] ?? "");
}

/** An id, or 0. */
export function numberIn(row: ForeignRow, column: string): number {
  const value = Number(row[column] ?? 0);
  return Number.isSafeInteger(value) ? value : 0;
}

export function isTrueIn(row: ForeignRow, column: string): boolean {
  return ["1", "t", "true"].includes(row[column] ?? "");
}

const TIME =
  /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,9})?\s*(Z|[+-]\d\d(?::?\d\d)?)?/;

/** A time as either database writes it; undefined for none, and for GangGo's zero, the year 1. */
export function timeIn(row: ForeignRow, column: string): Timestamp | undefined {
  const match = TIME.exec(row[column] ?? "");
  if (!match) return undefined;
  const [, day, time, fraction = "", zone = "Z"] = match;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  const ms = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${offset}`);
  return Number.isNaN(ms) || ms < 0 ? undefined : timestamp(new Date(ms));
}

/** A day such as `1990-12-31`. */
export function dayIn(row: ForeignRow, column: string): string | null {
  const [day = ""] = /^\d{4}-\d\d-\d\d/.exec(row[column] ?? "") ?? [];
  return day === "" || day.startsWith("0001") ? null : day;
}
