import { sql, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import { fetchPage, type Page } from "../page.ts";
import { isNotSuspended } from "../visibility/index.ts";
import type { EventId, ParticipationId, PersonId } from "../ids.ts";
import type {
  GuestReply,
  Participation,
  ParticipationStatus,
} from "./participation-store.ts";

export type ParticipationKey =
  | { readonly id: ParticipationId }
  | { readonly guid: string }
  | { readonly uri: string }
  | { readonly eventId: EventId; readonly personId: PersonId };

export async function findParticipation(
  reader: Reader,
  key: ParticipationKey,
): Promise<Participation | undefined> {
  const query = reader.selectFrom("participations").selectAll();
  const row = await (
    "id" in key
      ? query.where("id", "=", key.id)
      : "guid" in key
        ? query.where("guid", "=", key.guid)
        : "uri" in key
          ? query.where("uri", "=", key.uri)
          : query
              .where("event_id", "=", key.eventId)
              .where("person_id", "=", key.personId)
  ).executeTakeFirst();
  return row && toParticipation(row);
}

/**
 * The newest answers to each of these events, newest first.
 * @param viewer sees who asks to come to its own events, and that itself asks
 */
export async function listNewestParticipations(
  reader: Reader,
  eventIds: readonly EventId[],
  perEvent: number,
  viewer: PersonId | null,
): Promise<Participation[]> {
  if (eventIds.length === 0) return [];
  const rows = await reader
    .with("numbered", (query) =>
      query
        .selectFrom("participations")
        .selectAll()
        .select(
          sql<number>`row_number() over (partition by event_id order by id desc)`.as(
            "place",
          ),
        )
        .where("event_id", "in", eventIds)
        .where(isShownTo(viewer))
        .where(isNotSuspended(["participations.person_id"])),
    )
    .selectFrom("numbered")
    .selectAll()
    .where("place", "<=", perEvent)
    .orderBy("id", "desc")
    .execute();
  return rows.map(toParticipation);
}

/** Requests of guests are between them and the host. */
function isShownTo(viewer: PersonId | null) {
  return sql<SqlBool>`(${isDecided()}
    or participations.person_id = ${viewer}
    or exists (select 1 from events
      where events.id = participations.event_id
        and events.person_id = ${viewer}))`;
}

/** Is it no request that the host has yet to confirm? */
function isDecided() {
  return sql<SqlBool>`coalesce(participations.reply, '') <> 'pending'`;
}

/**
 * The answers to an event, newest first.
 * @param viewer as in `listNewestParticipations`
 */
export async function listParticipations(
  reader: Reader,
  eventId: EventId,
  viewer: PersonId | null,
  { page, isPending }: { readonly page: Page; readonly isPending: boolean },
): Promise<Participation[]> {
  const query = reader
    .selectFrom("participations")
    .selectAll()
    .where("event_id", "=", eventId)
    .where(isShownTo(viewer))
    .where(isNotSuspended(["participations.person_id"]))
    .$if(isPending, (pending) => pending.where("reply", "=", "pending"));
  const rows = await fetchPage(query, "participations.id", page);
  return rows.map(toParticipation);
}

export async function countComing(
  reader: Reader,
  eventId: EventId,
): Promise<number> {
  const { count } = await reader
    .selectFrom("participations")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("event_id", "=", eventId)
    .where("status", "=", "accepted")
    .where(isDecided())
    .where(isNotSuspended(["participations.person_id"]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of each answer known here, without the requests to come. */
export async function countAnswers(
  reader: Reader,
  eventId: EventId,
): Promise<Record<ParticipationStatus, number>> {
  const rows = await reader
    .selectFrom("participations")
    .select((eb) => ["status", eb.fn.countAll<number>().as("count")])
    .where("event_id", "=", eventId)
    .where(isDecided())
    .where(isNotSuspended(["participations.person_id"]))
    .groupBy("status")
    .execute();
  const counts = { accepted: 0, declined: 0, tentative: 0 };
  for (const { status, count } of rows) counts[status] = Number(count);
  return counts;
}

/** The same for each of these events; those without answers are missing. */
export async function countAnswersOf(
  reader: Reader,
  eventIds: readonly EventId[],
): Promise<Map<EventId, Record<ParticipationStatus, number>>> {
  const counts = new Map<EventId, Record<ParticipationStatus, number>>();
  if (eventIds.length === 0) return counts;
  const rows = await reader
    .selectFrom("participations")
    .select((eb) => [
      "event_id",
      "status",
      eb.fn.countAll<number>().as("count"),
    ])
    .where("event_id", "in", eventIds)
    .where(isDecided())
    .where(isNotSuspended(["participations.person_id"]))
    .groupBy(["event_id", "status"])
    .execute();
  for (const { event_id: eventId, status, count } of rows) {
    const known = counts.get(eventId) ?? NO_ANSWERS;
    counts.set(eventId, { ...known, [status]: Number(count) });
  }
  return counts;
}

const NO_ANSWERS = { accepted: 0, declined: 0, tentative: 0 };

/** The person's own answers to these events. */
export async function listAnswersBy(
  reader: Reader,
  personId: PersonId,
  eventIds: readonly EventId[],
): Promise<Map<EventId, ParticipationStatus>> {
  if (eventIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("participations")
    .select(["event_id", "status"])
    .where("person_id", "=", personId)
    .where("event_id", "in", eventIds)
    .execute();
  return new Map(rows.map((row) => [row.event_id, row.status]));
}

/** The people who come, or may come. */
export async function listAttendingIds(
  reader: Reader,
  eventId: EventId,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("participations")
    .select("person_id")
    .where("event_id", "=", eventId)
    .where("status", "in", ["accepted", "tentative"])
    .execute();
  return rows.map((row) => row.person_id);
}

function toParticipation(row: {
  id: ParticipationId;
  guid: string;
  event_id: EventId;
  person_id: PersonId;
  status: ParticipationStatus;
  uri: string | null;
  reply: GuestReply | null;
  stated_at: string | null;
  created_at: string;
  updated_at: string;
}): Participation {
  return {
    id: row.id,
    guid: row.guid,
    eventId: row.event_id,
    personId: row.person_id,
    status: row.status,
    uri: row.uri,
    reply: row.reply,
    statedAt: row.stated_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
