import { sql } from "kysely";
import {
  type LocalViewer,
  type Viewer,
  isEventNotBlockedOrIgnored,
  isEventVisibleTo,
} from "../visibility/index.ts";
import type { Reader } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { CalendarId, EventId, PersonId, UserId } from "../ids.ts";
import { fetchPageByTime, type Page } from "../page.ts";
import type { Visibility } from "../posts/index.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import { loadList } from "../stored-list.ts";
import type { CalendarEvent, EventKey } from "./event.ts";

export const selectEvents = (reader: Reader) =>
  reader.selectFrom("events").selectAll();

export type EventRow = Awaited<
  ReturnType<ReturnType<typeof selectEvents>["executeTakeFirstOrThrow"]>
>;

const DATE_LENGTH = "YYYY-MM-DD".length;

export function eventOf(row: EventRow): CalendarEvent {
  const allDay = Boolean(row.all_day);
  const written = (time: Timestamp) =>
    allDay ? time.slice(0, DATE_LENGTH) : time;
  return {
    id: row.id,
    guid: row.guid,
    uid: row.uid,
    personId: row.person_id,
    calendarId: row.calendar_id,
    aspectId: row.aspect_id,
    audience: row.audience,
    public: Boolean(row.public),
    summary: row.summary,
    description: row.description,
    location: row.location,
    timeZone: row.time_zone,
    allDay,
    start: written(row.start_at),
    end: row.end_at === null ? null : written(row.end_at),
    status: row.status,
    capacity: row.capacity,
    needsApproval: Boolean(row.needs_approval),
    categories: loadList(row.categories),
    recurrence: row.recurrence === null ? null : loadJson(row.recurrence),
    sequence: row.sequence,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function byKey(reader: Reader, key: EventKey) {
  const query = selectEvents(reader);
  return "id" in key
    ? query.where("events.id", "=", key.id)
    : query.where("events.guid", "=", key.guid);
}

/** Finds an event regardless of its audience: for jobs and federation, never for a response. */
export async function findEvent(
  reader: Reader,
  key: EventKey,
): Promise<CalendarEvent | undefined> {
  const row = await byKey(reader, key).executeTakeFirst();
  return row && eventOf(row);
}

/** Finds an event that the viewer may see. */
export async function findVisibleEvent(
  reader: Reader,
  key: EventKey,
  viewer: Viewer,
): Promise<CalendarEvent | undefined> {
  const row = await byKey(reader, key)
    .where(isEventVisibleTo(viewer))
    .executeTakeFirst();
  return row && eventOf(row);
}

/** The events with these ids that the viewer may see, by id. */
export async function listEventsById(
  reader: Reader,
  ids: readonly EventId[],
  viewer: Viewer,
): Promise<Map<EventId, CalendarEvent>> {
  if (ids.length === 0) return new Map();
  const rows = await selectEvents(reader)
    .where("events.id", "in", ids)
    .where(isEventVisibleTo(viewer))
    .execute();
  return new Map(rows.map((row) => [row.id, eventOf(row)]));
}

export type EventFilter = {
  readonly visibility: Visibility;
  readonly calendarId?: CalendarId;
  /** Events that take place at or after this time. */
  readonly from?: Timestamp;
  /** Events that take place before this time. */
  readonly to?: Timestamp;
};

/** One page of the events that the viewer may see, ordered by start. */
export async function listEvents(
  reader: Reader,
  viewer: NonNullable<Viewer>,
  { visibility, calendarId, from, to }: EventFilter,
  page: Page,
): Promise<CalendarEvent[]> {
  let query = selectEvents(reader)
    .where(isEventVisibleTo(viewer))
    .where(isEventNotBlockedOrIgnored(viewer));
  if (visibility !== "all")
    query = query.where(
      "audience",
      visibility === "public" ? "=" : "!=",
      "everyone",
    );
  if (calendarId !== undefined)
    query = query.where("calendar_id", "=", calendarId);
  if (from !== undefined)
    query = query
      .where("until_at", ">", from)
      .where("start_at", ">=", earliestStart(from));
  if (to !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb("start_at", "<", to),
        // An empty range, a single instant, includes the events that start at it.
        ...(from === to ? [eb("start_at", "=", to)] : []),
      ]),
    );
  const rows = await fetchPageByTime(query, page, {
    time: "events.start_at",
    id: "events.id",
    order: "oldest first",
  });
  return rows.map(eventOf);
}

/** A lower bound for the start, so that the index scan skips events that ended before. */
export function earliestStart(from: Timestamp) {
  return sql<Timestamp>`(select coalesce(min(running.start_at), ${from}) from events as running where running.until_at > ${from})`;
}

/** A part of a calendar: its newest events, or the newest ones before another. */
export type PartOfCalendar = {
  /** Leaves out what was over by then. */
  readonly since: Timestamp;
  readonly before: EventId | undefined;
  readonly limit: number;
};

/** The events of a calendar that the viewer may see, newest first. */
export async function listEventsOfCalendar(
  reader: Reader,
  calendarId: CalendarId,
  viewer: Viewer,
  { since, before, limit }: PartOfCalendar,
): Promise<CalendarEvent[]> {
  let query = selectEvents(reader)
    .where("calendar_id", "=", calendarId)
    .where("until_at", ">", since)
    .where(isEventVisibleTo(viewer));
  if (before !== undefined) query = query.where("events.id", "<", before);
  const rows = await query.orderBy("events.id", "desc").limit(limit).execute();
  return rows.map(eventOf);
}

/** All events of a calendar. */
export async function listEventsIn(
  reader: Reader,
  calendarId: CalendarId,
): Promise<CalendarEvent[]> {
  const rows = await selectEvents(reader)
    .where("calendar_id", "=", calendarId)
    .orderBy("id")
    .execute();
  return rows.map(eventOf);
}

/** The recipients of a limited event. */
export async function listEventRecipientIds(
  reader: Reader,
  eventId: EventId,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("event_recipients")
    .select("person_id")
    .where("event_id", "=", eventId)
    .execute();
  return rows.map((row) => row.person_id);
}

/** The people who said that they come, or may come. */
export async function listGuestsHere(
  reader: Reader,
  eventId: EventId,
): Promise<LocalViewer[]> {
  const rows = await reader
    .selectFrom("participations")
    .innerJoin("people", "people.id", "participations.person_id")
    .select(["people.id as personId", "people.user_id as userId"])
    .where("event_id", "=", eventId)
    .where("status", "in", ["accepted", "tentative"])
    .where("people.user_id", "is not", null)
    .orderBy("people.id")
    .$narrowType<{ userId: UserId }>()
    .execute();
  return rows;
}
