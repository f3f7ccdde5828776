import type { Reader } from "../../db/db.ts";
import type { SignedIn } from "../accounts/index.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { CalendarId, EventId } from "../ids.ts";
import { isCalendarSharedWith } from "../visibility/index.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

export async function listExportedCalendars(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("calendars")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  const ids = rows.map(({ id }) => id);
  const shares = await listSharesOf(reader, ids);
  return rows.map((row) => ({
    key: row.id,
    record: {
      id: row.id,
      guid: row.guid,
      name: row.name,
      sharedWith: shares.get(row.id) ?? [],
      secretAddressSince: row.address_since,
      isDefault: Boolean(row.is_default),
      properties: row.properties === null ? {} : loadJson(row.properties),
      createdAt: row.created_at,
    },
  }));
}

async function listSharesOf(
  reader: Reader,
  ids: readonly CalendarId[],
): Promise<Map<CalendarId, object[]>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("calendar_shares")
    .leftJoin("people", "people.id", "calendar_shares.person_id")
    .leftJoin("aspects", "aspects.id", "calendar_shares.aspect_id")
    .select(["calendar_id", "may_write", "people.handle", "aspects.name"])
    .where("calendar_id", "in", ids)
    .orderBy("calendar_shares.id")
    .execute();
  const records = rows.map((row) => ({
    calendarId: row.calendar_id,
    share: {
      person: row.handle,
      aspect: row.name,
      mayWrite: Boolean(row.may_write),
    },
  }));
  return new Map(
    [...Map.groupBy(records, ({ calendarId }) => calendarId)].map(
      ([id, group]) => [id, group.map(({ share }) => share)],
    ),
  );
}

/** The calendars of others that the user sees, or has left, and how programs show them. */
export async function listExportedSharedCalendars(
  reader: Reader,
  { userId, personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("calendars")
    .innerJoin("people as owners", "owners.user_id", "calendars.user_id")
    .leftJoin("calendar_readers", (join) =>
      join
        .onRef("calendar_readers.calendar_id", "=", "calendars.id")
        .on("calendar_readers.user_id", "=", userId),
    )
    .select(["calendars.id", "calendars.guid", "owners.handle"])
    .select(["calendar_readers.has_left", "calendar_readers.properties"])
    .where("calendars.user_id", "<>", userId)
    .where((eb) =>
      eb.or([
        eb("calendar_readers.user_id", "is not", null),
        isCalendarSharedWith(
          { userId, personId },
          { calendar: "calendars.id", owner: "owners.id" },
        ),
      ]),
    )
    .$call(pageAfter("calendars.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      owner: row.handle,
      hasLeft: Boolean(row.has_left),
      properties: row.properties === null ? {} : loadJson(row.properties),
    },
  }));
}

/** The calendars elsewhere that the user reads here; their events are not the user's. */
export async function listExportedSubscribedCalendars(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("subscribed_calendars")
    .select(["id", "url", "name", "given_name", "properties", "created_at"])
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      url: row.url,
      name: row.name,
      givenName: row.given_name,
      properties: row.properties === null ? {} : loadJson(row.properties),
      createdAt: row.created_at,
    },
  }));
}

/** The user's own events, with their recipients and attendees. */
export async function listExportedEvents(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("events")
    .selectAll()
    .where("person_id", "=", personId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  const ids = rows.map(({ id }) => id);
  const recipients = await listInvited(reader, ids);
  const answers = await listAnswers(reader, ids);
  const earlier = await listEarlierDetails(reader, ids);
  const texts = await listTextsOfPrograms(reader, ids);
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      uid: row.uid,
      calendarId: row.calendar_id,
      audience: row.audience,
      summary: row.summary,
      description: row.description,
      location: row.location,
      start: row.start_at,
      end: row.end_at,
      allDay: Boolean(row.all_day),
      timeZone: row.time_zone,
      status: row.status,
      recurrence: row.recurrence === null ? null : loadJson(row.recurrence),
      iCalendar: texts.get(row.id) ?? null,
      capacity: row.capacity,
      needsApproval: Boolean(row.needs_approval),
      sequence: row.sequence,
      recipients: recipients.get(row.id) ?? [],
      participations: answers.get(row.id) ?? [],
      earlier: earlier.get(row.id) ?? [],
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }));
}

/** The texts of events that calendar programs have written. */
async function listTextsOfPrograms(
  reader: Reader,
  eventIds: readonly EventId[],
): Promise<Map<EventId, string | null>> {
  if (eventIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("calendar_objects")
    .select(["event_id", "ical"])
    .where("event_id", "in", eventIds)
    .execute();
  return new Map(rows.map((row) => [row.event_id, row.ical]));
}

/** The versions of events before they were changed, oldest first. */
async function listEarlierDetails(
  reader: Reader,
  eventIds: readonly EventId[],
): Promise<Map<number, object[]>> {
  if (eventIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("event_versions")
    .selectAll()
    .where("event_id", "in", eventIds)
    .orderBy("id")
    .execute();
  const found = new Map<number, object[]>();
  for (const [id, group] of Map.groupBy(rows, (row) => row.event_id))
    found.set(
      id,
      group.map(({ details, written_at: writtenAt }) => ({
        ...loadJson(details),
        writtenAt,
      })),
    );
  return found;
}

async function listInvited(
  reader: Reader,
  eventIds: readonly EventId[],
): Promise<Map<number, string[]>> {
  if (eventIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("event_recipients")
    .innerJoin("people", "people.id", "event_recipients.person_id")
    .select(["event_recipients.event_id", "people.handle"])
    .where("event_recipients.event_id", "in", eventIds)
    .orderBy("people.id")
    .execute();
  const byEvent = Map.groupBy(rows, (row) => row.event_id);
  return new Map(
    [...byEvent].map(([id, group]) => [id, group.map((row) => row.handle)]),
  );
}

async function listAnswers(
  reader: Reader,
  eventIds: readonly EventId[],
): Promise<Map<number, object[]>> {
  if (eventIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("participations")
    .innerJoin("people", "people.id", "participations.person_id")
    .select([
      "participations.event_id",
      "participations.status",
      "participations.reply",
      "people.handle",
    ])
    .where("participations.event_id", "in", eventIds)
    .orderBy("participations.id")
    .execute();
  const byEvent = Map.groupBy(rows, (row) => row.event_id);
  return new Map(
    [...byEvent].map(([id, group]) => [
      id,
      group.map(({ handle, status, reply }) => ({ handle, status, reply })),
    ]),
  );
}

/** The user's own answers. The events of others are identified, without their content. */
export async function listExportedParticipations(
  reader: Reader,
  { personId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("participations")
    .innerJoin("events", "events.id", "participations.event_id")
    .innerJoin("people as author", "author.id", "events.person_id")
    .selectAll("participations")
    .select(["events.guid as event_guid", "author.handle as event_author"])
    .where("participations.person_id", "=", personId)
    .$call(pageAfter("participations.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      status: row.status,
      reply: row.reply,
      eventGuid: row.event_guid,
      eventAuthor: row.event_author,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }));
}
