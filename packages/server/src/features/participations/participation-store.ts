import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { isNotSuspended } from "../visibility/index.ts";
import type { EventId, ParticipationId, PersonId } from "../ids.ts";

export const PARTICIPATION_STATUSES = [
  "accepted",
  "declined",
  "tentative",
] as const;
export type ParticipationStatus = (typeof PARTICIPATION_STATUSES)[number];

/** A host's reply to an answer; `ignored`: there will be no reply. */
export type HostReply = "confirmed" | "ignored" | "refused";

/** Whether a person comes to an event: one row per person and event. */
export type Participation = {
  readonly id: ParticipationId;
  readonly guid: string;
  readonly eventId: EventId;
  readonly personId: PersonId;
  readonly status: ParticipationStatus;
  /** The id of the activity, if it came over ActivityPub. */
  readonly uri: string | null;
  /** The host's reply; null if no reply is needed, or none has arrived. */
  readonly reply: HostReply | null;
  /** When the newest answer was given, if the author's server ever said so. */
  readonly statedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export type NewParticipation = Pick<
  Participation,
  "guid" | "eventId" | "personId" | "status"
> & {
  readonly uri?: string | null;
  /** When it was given, if the remote server says so. */
  readonly answeredAt?: Timestamp;
};

/** @returns undefined if the person has answered already, or the Guid is taken */
export async function insertParticipation(
  tx: Tx,
  { guid, eventId, personId, status, uri = null, answeredAt }: NewParticipation,
  now: Timestamp,
): Promise<ParticipationId | undefined> {
  const row = await tx
    .insertInto("participations")
    .values({
      guid,
      event_id: eventId,
      person_id: personId,
      status,
      uri,
      stated_at: answeredAt ?? null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** Replaces the stored answer by another one with its own Guid. */
export async function updateAnswer(
  tx: Tx,
  id: ParticipationId,
  {
    guid,
    status,
    uri = null,
  }: Pick<NewParticipation, "guid" | "status" | "uri">,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("participations")
    .set({ guid, status, uri, reply: null, updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** Records the newest time given by the author; it never moves back. */
export async function updateStatedAt(
  tx: Tx,
  id: ParticipationId,
  statedAt: Timestamp,
): Promise<void> {
  await tx
    .updateTable("participations")
    .set({ stated_at: statedAt })
    .where((eb) =>
      eb.or([eb("stated_at", "is", null), eb("stated_at", "<", statedAt)]),
    )
    .where("id", "=", id)
    .execute();
}

export async function updateUri(
  tx: Tx,
  id: ParticipationId,
  uri: string,
): Promise<void> {
  await tx
    .updateTable("participations")
    .set({ uri })
    .where("id", "=", id)
    .execute();
}

/** Stores the host's reply; a refused person does not come. */
export async function updateReply(
  tx: Tx,
  id: ParticipationId,
  reply: HostReply,
): Promise<void> {
  await tx
    .updateTable("participations")
    .set({ reply, ...(reply === "refused" ? { status: "declined" } : {}) })
    .where("id", "=", id)
    .execute();
}

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

/** The newest answers to each of these events, newest first. */
export async function listNewestParticipations(
  reader: Reader,
  eventIds: readonly EventId[],
  perEvent: number,
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
        .where(isNotSuspended(["participations.person_id"])),
    )
    .selectFrom("numbered")
    .selectAll()
    .where("place", "<=", perEvent)
    .orderBy("id", "desc")
    .execute();
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
    .where(isNotSuspended(["participations.person_id"]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of each answer known here. */
export async function countAnswers(
  reader: Reader,
  eventId: EventId,
): Promise<Record<ParticipationStatus, number>> {
  const rows = await reader
    .selectFrom("participations")
    .select((eb) => ["status", eb.fn.countAll<number>().as("count")])
    .where("event_id", "=", eventId)
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
  reply: HostReply | null;
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

/** @returns false if it was deleted concurrently */
export async function deleteParticipation(
  tx: Tx,
  id: ParticipationId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("participations")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes answers of a deleted person. @returns the events that were answered */
export async function deleteSomeParticipationsOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<EventId[]> {
  const rows = await tx
    .deleteFrom("participations")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("participations as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .returning("event_id")
    .execute();
  return rows.map((row) => row.event_id);
}
