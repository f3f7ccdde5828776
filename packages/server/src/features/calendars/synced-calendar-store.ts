import type { Reader, Tx } from "../../db/db.ts";
import { storeJson } from "../../db/schema/columns/json-text.ts";
import type { CalendarId, UserId } from "../ids.ts";
import {
  storedProperties,
  toCalendar,
  type Calendar,
} from "./calendar-store.ts";

/** A calendar as calendar programs find it. */
export type SyncedCalendar = Calendar & {
  /** Its part of the address: the Guid, or what the program chose that made it. */
  readonly pathName: string;
  /** The number of the last change of an object or a property. */
  readonly changes: number;
  /** Removals up to this change are forgotten. */
  readonly forgottenChanges: number;
  /** Texts that programs have written, by the name of the property. */
  readonly properties: Readonly<Record<string, string>>;
};

const selectSynced = (reader: Reader, userId: UserId) =>
  reader.selectFrom("calendars").selectAll().where("user_id", "=", userId);

type Row = Awaited<
  ReturnType<ReturnType<typeof selectSynced>["executeTakeFirstOrThrow"]>
>;

export function syncedOf(row: Row): SyncedCalendar {
  return {
    ...toCalendar(row),
    pathName: row.path_name,
    changes: row.changes,
    forgottenChanges: row.forgotten_changes,
    properties: storedProperties(row),
  };
}

/** A user's calendars, oldest first. */
export async function listSyncedCalendars(
  reader: Reader,
  userId: UserId,
  limit: number,
): Promise<SyncedCalendar[]> {
  const rows = await selectSynced(reader, userId)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(syncedOf);
}

export async function findSyncedCalendar(
  reader: Reader,
  userId: UserId,
  pathName: string,
): Promise<SyncedCalendar | undefined> {
  const row = await selectSynced(reader, userId)
    .where("path_name", "=", pathName)
    .executeTakeFirst();
  return row && syncedOf(row);
}

/** The first of a user's calendars that has one of these as its Guid or in its address. */
export async function findCalendarNamed(
  reader: Reader,
  userId: UserId,
  names: readonly string[],
): Promise<SyncedCalendar | undefined> {
  const row = await selectSynced(reader, userId)
    .where((eb) =>
      eb.or([eb("path_name", "in", names), eb("guid", "in", names)]),
    )
    .orderBy("id")
    .executeTakeFirst();
  return row && syncedOf(row);
}

export async function findSyncedById(
  reader: Reader,
  userId: UserId,
  id: CalendarId,
): Promise<SyncedCalendar | undefined> {
  const row = await selectSynced(reader, userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && syncedOf(row);
}

/** Counts a change. Those of one calendar become visible in this order. */
export async function countChange(tx: Tx, id: CalendarId): Promise<number> {
  const { changes } = await tx
    .updateTable("calendars")
    .set((eb) => ({ changes: eb("changes", "+", 1) }))
    .where("id", "=", id)
    .returning("changes")
    .executeTakeFirstOrThrow();
  return changes;
}

export async function updateForgotten(
  tx: Tx,
  id: CalendarId,
  change: number,
): Promise<void> {
  await tx
    .updateTable("calendars")
    .set({ forgotten_changes: change })
    .where("id", "=", id)
    .where("forgotten_changes", "<", change)
    .execute();
}

export async function updateProperties(
  tx: Tx,
  id: CalendarId,
  properties: SyncedCalendar["properties"],
): Promise<void> {
  await tx
    .updateTable("calendars")
    .set({ properties: storeJson(properties) })
    .where("id", "=", id)
    .execute();
}
