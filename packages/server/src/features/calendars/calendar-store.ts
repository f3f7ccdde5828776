import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { newGuid } from "../../lib/guids.ts";
import type { CalendarId, UserId } from "../ids.ts";
import {
  loadJson,
  storeJson,
  type JsonText,
} from "../../db/schema/columns/json-text.ts";
import { fetchPage, type Page } from "../page.ts";
import { colorOf } from "../../lib/icalendar/calendar-look.ts";

type Properties = Readonly<Record<string, string>>;

/** A user's own collection of events. Visible only to its owner. */
export type Calendar = {
  readonly id: CalendarId;
  readonly userId: UserId;
  readonly name: string;
  /** Every user with calendars has exactly one default: initially the first one. */
  readonly isDefault: boolean;
  /** `#RRGGBB`; null without one. */
  readonly color: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export async function insertCalendar(
  tx: Tx,
  calendar: Pick<Calendar, "userId" | "name" | "isDefault"> & {
    /** Its Guid by default. */
    readonly pathName?: string;
    readonly properties?: Readonly<Record<string, string>>;
  },
  now: Timestamp,
): Promise<CalendarId> {
  const guid = newGuid();
  const { id } = await tx
    .insertInto("calendars")
    .values({
      guid,
      path_name: calendar.pathName ?? guid,
      user_id: calendar.userId,
      name: calendar.name,
      is_default: calendar.isDefault,
      ...(calendar.properties && {
        properties: storeJson(calendar.properties),
      }),
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateCalendar(
  tx: Tx,
  id: CalendarId,
  changes: { readonly name?: string; readonly isDefault?: boolean },
  now: Timestamp,
): Promise<void> {
  const { name, isDefault } = changes;
  await tx
    .updateTable("calendars")
    .set({
      ...(name === undefined ? {} : { name }),
      ...(isDefault === undefined ? {} : { is_default: isDefault }),
      updated_at: now,
    })
    .where("id", "=", id)
    .execute();
}

export async function deleteCalendar(tx: Tx, id: CalendarId): Promise<void> {
  await tx.deleteFrom("calendars").where("id", "=", id).execute();
}

/** Finds a calendar of this user; undefined for another user's calendar. */
export async function findCalendar(
  reader: Reader,
  userId: UserId,
  id: CalendarId,
): Promise<Calendar | undefined> {
  const row = await reader
    .selectFrom("calendars")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row && toCalendar(row);
}

/** Finds the user's oldest calendar. */
export async function findOldestCalendar(
  reader: Reader,
  userId: UserId,
): Promise<Calendar | undefined> {
  const row = await reader
    .selectFrom("calendars")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && toCalendar(row);
}

/** Lists one page of the user's calendars, newest first. */
export async function listCalendars(
  reader: Reader,
  userId: UserId,
  page: Page,
): Promise<Calendar[]> {
  const query = reader
    .selectFrom("calendars")
    .selectAll()
    .where("user_id", "=", userId);
  const rows = await fetchPage(query, "calendars.id", page);
  return rows.map(toCalendar);
}

export function toCalendar(row: {
  id: CalendarId;
  user_id: UserId;
  name: string;
  is_default: boolean | number;
  properties: JsonText<Properties> | null;
  created_at: string;
  updated_at: string;
}): Calendar {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    isDefault: Boolean(row.is_default),
    color: colorOf(storedProperties(row)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Texts that programs have written, by the name of the property. */
export function storedProperties({
  properties,
}: {
  properties: JsonText<Properties> | null;
}): Properties {
  return properties === null ? {} : loadJson(properties);
}

/**
 * Deletes some empty calendars of a person who has left.
 * @returns how many were deleted
 */
export async function deleteSomeEmptyCalendarsOf(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("calendars")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("calendars as own")
        .select("own.id")
        .where("own.user_id", "=", userId)
        .where((on) =>
          on.not(
            on.exists(
              on
                .selectFrom("events")
                .select("events.id")
                .whereRef("events.calendar_id", "=", "own.id"),
            ),
          ),
        )
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
