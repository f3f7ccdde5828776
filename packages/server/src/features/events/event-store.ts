import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import type { CalendarId, EventId, PersonId } from "../ids.ts";
import { storeJson } from "../../db/schema/columns/json-text.ts";
import { storeList } from "../stored-list.ts";
import { prepareInsertInTime } from "../time-id-store.ts";
import { upcomingOf } from "./series/occurrences.ts";
import {
  overInstant,
  startInstant,
  untilInstant,
  type EventAudience,
  type CalendarEvent,
  type EventDetails,
} from "./event.ts";

type OptionalOfNew =
  | "capacity"
  | "categories"
  | "needsApproval"
  | "recurrence"
  | "status"
  | "updatedAt";

type NewEvent = Omit<CalendarEvent, "id" | "sequence" | OptionalOfNew> &
  Partial<Pick<CalendarEvent, OptionalOfNew>>;

const insertInTime = prepareInsertInTime("event");

/** The caller has checked that the Guid is free. */
export async function insertEvent(
  tx: Tx,
  event: NewEvent,
  now: Date,
): Promise<EventId> {
  const { id } = await insertInTime(tx, event, now, {
    guid: event.guid,
    uid: event.uid,
    person_id: event.personId,
    calendar_id: event.calendarId,
    aspect_id: event.aspectId,
    audience: event.audience,
    public: event.public,
    ...detailColumns(event, event.recurrence),
    ...recurrenceColumn(event.recurrence),
    shown_until: shownUntil(event, event.recurrence ?? null, timestamp(now)),
    status: event.status ?? "confirmed",
    capacity: event.capacity ?? null,
    needs_approval: event.needsApproval ?? false,
    categories: storeList(event.categories ?? []),
    sequence: 0,
    created_at: event.createdAt,
    updated_at: event.updatedAt ?? timestamp(now),
  });
  return id;
}

function recurrenceColumn(recurrence: CalendarEvent["recurrence"] = null) {
  return { recurrence: recurrence && storeJson(recurrence) };
}

/**
 * When the event of a series that others see from now on is over.
 * @returns null for an event that takes place once, or after the last one
 */
export function shownUntil(
  details: EventDetails,
  recurrence: CalendarEvent["recurrence"],
  now: Timestamp,
): Timestamp | null {
  if (!recurrence) return null;
  const over = overInstant(upcomingOf({ ...details, recurrence }, now));
  return over > now ? over : null;
}

/** Series whose event that others see is over by now. */
export async function listShownUntil(
  reader: Reader,
  now: Timestamp,
  limit: number,
): Promise<EventId[]> {
  const rows = await reader
    .selectFrom("events")
    .select("id")
    .where("shown_until", "is not", null)
    .where("shown_until", "<=", now)
    .orderBy("shown_until")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Has others see the next event of a series.
 * @param isNews whether there is one, and others to see it: it counts as a change then, since
 *   other servers ignore what is no later than what they have
 * @returns false if it was changed or advanced concurrently
 */
export async function updateShownUntil(
  tx: Tx,
  id: EventId,
  next: Timestamp | null,
  { now, isNews }: { readonly now: Timestamp; readonly isNews: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("events")
    .set((eb) => ({
      shown_until: next,
      ...(isNews && { sequence: eb("sequence", "+", 1), updated_at: now }),
    }))
    .where("id", "=", id)
    .where("shown_until", "<=", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function detailColumns(
  details: EventDetails,
  recurrence: CalendarEvent["recurrence"] = null,
) {
  const { allDay, end } = details;
  return {
    summary: details.summary,
    description: details.description,
    location: details.location,
    time_zone: details.timeZone,
    all_day: allDay,
    start_at: startInstant(details),
    end_at: end === null ? null : startInstant({ allDay, start: end }),
    until_at: untilInstant(details, recurrence),
  };
}

/** Changes an event and increments its sequence. */
export async function updateEvent(
  tx: Tx,
  id: EventId,
  changed: EventDetails &
    Pick<CalendarEvent, "calendarId" | "public" | "recurrence" | "status"> & {
      /** Absent: unchanged, as is the next. */
      readonly capacity?: CalendarEvent["capacity"];
      readonly needsApproval?: boolean;
    },
  now: Timestamp,
): Promise<void> {
  const { capacity, needsApproval } = changed;
  await tx
    .updateTable("events")
    .set((eb) => ({
      ...(capacity !== undefined && { capacity }),
      ...(needsApproval !== undefined && { needs_approval: needsApproval }),
      ...detailColumns(changed, changed.recurrence),
      ...recurrenceColumn(changed.recurrence),
      shown_until: shownUntil(changed, changed.recurrence, now),
      status: changed.status,
      calendar_id: changed.calendarId,
      public: changed.public,
      sequence: eb("sequence", "+", 1),
      updated_at: now,
    }))
    .where("id", "=", id)
    .execute();
}

/** Applies a change by the remote author. */
export async function updateReceivedEvent(
  tx: Tx,
  id: EventId,
  changed: EventDetails &
    Pick<CalendarEvent, "capacity" | "categories" | "needsApproval" | "status">,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("events")
    .set((eb) => ({
      ...detailColumns(changed),
      status: changed.status,
      capacity: changed.capacity,
      needs_approval: changed.needsApproval,
      categories: storeList(changed.categories),
      sequence: eb("sequence", "+", 1),
      updated_at: now,
    }))
    .where("id", "=", id)
    .execute();
}

export async function updateAudience(
  tx: Tx,
  id: EventId,
  audience: EventAudience,
): Promise<void> {
  await tx
    .updateTable("events")
    .set({ audience, public: audience === "everyone" })
    .where("id", "=", id)
    .execute();
}

/** @returns false if it was deleted concurrently */
export async function deleteEvent(tx: Tx, id: EventId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("events")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the events that only their owner could see, at once. */
export async function deletePersonalEvents(
  tx: Tx,
  calendarId: CalendarId,
): Promise<void> {
  await tx
    .deleteFrom("events")
    .where("calendar_id", "=", calendarId)
    .where("audience", "=", "owner")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("posts")
            .select("posts.id")
            .whereRef("posts.event_id", "=", "events.id"),
        ),
      ),
    )
    .execute();
}

/** Adds recipients to a limited event; the present ones remain. */
export async function insertEventRecipients(
  tx: Tx,
  eventId: EventId,
  people: readonly PersonId[],
): Promise<void> {
  if (people.length === 0) return;
  await sql`insert into event_recipients (event_id, person_id)
    select ${eventId}, people.id from people
    where ${isListed(tx, "people.id", JSON.stringify(people))}
    order by people.id
    on conflict do nothing`.execute(tx);
}

/** Some events of a person, regardless of their audience. */
export async function listSomeEventsOf(
  reader: Reader,
  personId: PersonId,
  limit: number,
): Promise<{ id: EventId; guid: string }[]> {
  const rows = await reader
    .selectFrom("events")
    .select(["id", "guid"])
    .where("person_id", "=", personId)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id, guid }) => ({ id: id, guid }));
}

/** Removes a deleted person from the recipients of events. @returns how many */
export async function deleteSomeInvitationsOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("event_recipients")
    .where("person_id", "=", personId)
    .where("event_id", "in", (eb) =>
      eb
        .selectFrom("event_recipients as own")
        .select("own.event_id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
