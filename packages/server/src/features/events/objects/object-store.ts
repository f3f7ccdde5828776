import type { Reader, Tx } from "../../../db/db.ts";
import { shiftedBy, type Timestamp } from "../../../lib/time/clock.ts";
import type { CalendarId, EventId } from "../../ids.ts";
import { isEventVisibleTo, type LocalViewer } from "../../visibility/index.ts";
import { eventOf, selectEvents } from "../event-queries.ts";
import type { CalendarEvent } from "../event.ts";

/** An event as calendar programs name and write it. */
export type CalendarObject = {
  readonly event: CalendarEvent;
  /** The last part of its address, as the program chose it. */
  readonly name: string;
  /** The number of its last change in its calendar. */
  readonly change: number;
  /** The text of a program, with later changes; null before any wrote one. */
  readonly text: string | null;
};

export async function insertObject(
  tx: Tx,
  object: {
    readonly eventId: EventId;
    readonly calendarId: CalendarId;
    readonly name: string;
    readonly change: number;
    readonly text: string | null;
  },
): Promise<void> {
  const { calendarId, name } = object;
  await tx
    .insertInto("calendar_objects")
    .values({
      event_id: object.eventId,
      calendar_id: calendarId,
      name,
      change: object.change,
      ical: object.text,
    })
    .execute();
  await forgetRemoval(tx, calendarId, name);
}

/** The name is taken again. */
async function forgetRemoval(
  tx: Tx,
  calendarId: CalendarId,
  name: string,
): Promise<void> {
  await tx
    .deleteFrom("removed_objects")
    .where("calendar_id", "=", calendarId)
    .where("name", "=", name)
    .execute();
}

export async function updateObject(
  tx: Tx,
  eventId: EventId,
  changes: { readonly change: number; readonly text?: string | null },
): Promise<void> {
  const { change, text } = changes;
  await tx
    .updateTable("calendar_objects")
    .set({ change, ...(text !== undefined && { ical: text }) })
    .where("event_id", "=", eventId)
    .execute();
}

/** @param place null takes it out of its calendar */
export async function moveObject(
  tx: Tx,
  eventId: EventId,
  place: {
    readonly calendarId: CalendarId;
    readonly name: string;
    readonly change: number;
  } | null,
): Promise<void> {
  await tx
    .updateTable("calendar_objects")
    .set({
      calendar_id: place?.calendarId ?? null,
      ...(place && { name: place.name, change: place.change }),
    })
    .where("event_id", "=", eventId)
    .execute();
  if (place) await forgetRemoval(tx, place.calendarId, place.name);
}

/** Programs that ask for changes learn that the object is gone. */
export async function insertRemoval(
  tx: Tx,
  removed: {
    readonly calendarId: CalendarId;
    readonly name: string;
    readonly change: number;
    /** It was for chosen people, not for all readers of its calendar. */
    readonly isLimited: boolean;
  },
  now: Timestamp,
): Promise<void> {
  const { calendarId: calendar_id, name, change, isLimited } = removed;
  const state = { change, is_limited: isLimited, removed_at: now };
  await tx
    .insertInto("removed_objects")
    .values({ calendar_id, name, ...state })
    .onConflict((conflict) =>
      conflict.columns(["calendar_id", "name"]).doUpdateSet(state),
    )
    .execute();
}

/** Where the object of an event is. */
export async function findObjectPlace(
  reader: Reader,
  eventId: EventId,
): Promise<
  | {
      readonly calendarId: CalendarId | null;
      readonly name: string;
      readonly text: string | null;
      readonly isLimited: boolean;
    }
  | undefined
> {
  const row = await reader
    .selectFrom("calendar_objects")
    .innerJoin("events", "events.id", "calendar_objects.event_id")
    .select(["calendar_objects.calendar_id", "name", "ical", "audience"])
    .where("event_id", "=", eventId)
    .executeTakeFirst();
  return (
    row && {
      ...{ calendarId: row.calendar_id, name: row.name, text: row.ical },
      isLimited: row.audience === "limited",
    }
  );
}

export async function hasName(
  reader: Reader,
  calendarId: CalendarId,
  name: string,
): Promise<boolean> {
  const row = await reader
    .selectFrom("calendar_objects")
    .select("event_id")
    .where("calendar_id", "=", calendarId)
    .where("name", "=", name)
    .executeTakeFirst();
  return row !== undefined;
}

/** The name of the object that has this UID. */
export async function findNameOfUid(
  reader: Reader,
  calendarId: CalendarId,
  uid: string,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom("events")
    .innerJoin("calendar_objects", "calendar_objects.event_id", "events.id")
    .select("calendar_objects.name")
    .where("events.calendar_id", "=", calendarId)
    .where("events.uid", "=", uid)
    .executeTakeFirst();
  return row?.name;
}

export async function countObjects(
  reader: Reader,
  calendarId: CalendarId,
): Promise<number> {
  const { count } = await reader
    .selectFrom("calendar_objects")
    .select((eb) => eb.fn.countAll<number | string>().as("count"))
    .where("calendar_id", "=", calendarId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const selectObjects = (reader: Reader) =>
  selectEvents(reader)
    .innerJoin("calendar_objects", "calendar_objects.event_id", "events.id")
    .select([
      "calendar_objects.name as object_name",
      "calendar_objects.change as object_change",
      "calendar_objects.ical as object_text",
    ]);

type Row = Awaited<
  ReturnType<ReturnType<typeof selectObjects>["executeTakeFirstOrThrow"]>
>;

function objectOf(row: Row): CalendarObject {
  return {
    event: eventOf(row),
    name: row.object_name,
    change: row.object_change,
    text: row.object_text,
  };
}

/**
 * Objects of a calendar by their names, at most some hundred.
 * @param viewer leaves out what this reader of a shared calendar may not see
 */
export async function listObjectsByName(
  reader: Reader,
  calendarId: CalendarId,
  names: readonly string[],
  viewer?: LocalViewer,
): Promise<CalendarObject[]> {
  if (names.length === 0) return [];
  const rows = await selectObjects(reader)
    .where("calendar_objects.calendar_id", "=", calendarId)
    .where("calendar_objects.name", "in", names)
    .$if(viewer !== undefined, (query) =>
      query.where(isEventVisibleTo(viewer ?? null)),
    )
    .execute();
  return rows.map(objectOf);
}

/** A part of the objects of a calendar, in the order of their events. */
export type PartOfObjects = {
  readonly after: EventId | undefined;
  readonly limit: number;
  /** Leaves out what does not touch this range. */
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
  /** Leaves out what this reader of a shared calendar may not see. */
  readonly viewer?: LocalViewer | undefined;
};

const DAY_MS = 24 * 3_600_000;

export async function listObjects(
  reader: Reader,
  calendarId: CalendarId,
  { after, limit, from, to, viewer }: PartOfObjects,
): Promise<CalendarObject[]> {
  // Of the event itself: its index leaves out what is not in the range.
  let query = selectObjects(reader).where(
    "events.calendar_id",
    "=",
    calendarId,
  );
  if (after !== undefined) query = query.where("events.id", ">", after);
  if (viewer) query = query.where(isEventVisibleTo(viewer));
  // All-day events last from midnight to midnight of some zone: a day more on both sides.
  if (from !== undefined)
    query = query.where("until_at", ">=", shiftedBy(from, -DAY_MS));
  if (to !== undefined)
    query = query.where("start_at", "<", shiftedBy(to, DAY_MS));
  const rows = await query.orderBy("events.id").limit(limit).execute();
  return rows.map(objectOf);
}

/** A change or the removal of an object. */
export type ObjectChange = {
  readonly name: string;
  readonly change: number;
  readonly isRemoved: boolean;
  /** Was it for chosen people? Known of what is removed. */
  readonly wasLimited: boolean;
};

/** The changes after one, oldest first. */
export async function listObjectChanges(
  reader: Reader,
  calendarId: CalendarId,
  after: number,
  limit: number,
): Promise<ObjectChange[]> {
  const there = await reader
    .selectFrom("calendar_objects")
    .select(["name", "change"])
    .where("calendar_id", "=", calendarId)
    .where("change", ">", after)
    .orderBy("change")
    .orderBy("event_id")
    .limit(limit)
    .execute();
  const gone = await reader
    .selectFrom("removed_objects")
    .select(["name", "change", "is_limited"])
    .where("calendar_id", "=", calendarId)
    .where("change", ">", after)
    .orderBy("change")
    .limit(limit)
    .execute();
  return [
    ...there.map((row) => ({ ...row, isRemoved: false, wasLimited: false })),
    ...gone.map(({ name, change, is_limited: wasLimited }) => ({
      ...{ name, change, isRemoved: true, wasLimited: Boolean(wasLimited) },
    })),
  ]
    .sort((one, other) => one.change - other.change)
    .slice(0, limit);
}

/** Deletes some old removals. @returns the last forgotten change by calendar */
export async function deleteSomeRemovals(
  tx: Tx,
  before: Timestamp,
  limit: number,
): Promise<Map<CalendarId, number>> {
  const rows = await tx
    .selectFrom("removed_objects")
    .select(["calendar_id", "name", "change"])
    .where("removed_at", "<", before)
    .orderBy("removed_at")
    .limit(limit)
    .execute();
  const last = new Map<CalendarId, number>();
  for (const { calendar_id: id, name, change } of rows) {
    last.set(id, Math.max(last.get(id) ?? 0, change));
    await tx
      .deleteFrom("removed_objects")
      .where("calendar_id", "=", id)
      .where("name", "=", name)
      .where("removed_at", "<", before)
      .execute();
  }
  return last;
}
