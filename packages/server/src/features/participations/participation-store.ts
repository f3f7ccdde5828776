import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { EventId, ParticipationId, PersonId } from "../ids.ts";

export const PARTICIPATION_STATUSES = [
  "accepted",
  "declined",
  "tentative",
] as const;
export type ParticipationStatus = (typeof PARTICIPATION_STATUSES)[number];

/** A host's reply to a guest; `ignored`: there will be none. */
export type HostReply = "confirmed" | "ignored" | "refused";

/** `pending`: the guest asks to come, and the host has yet to confirm it. */
export type GuestReply = HostReply | "pending";

/** Whether a person comes to an event: one row per person and event. */
export type Participation = {
  readonly id: ParticipationId;
  readonly guid: string;
  readonly eventId: EventId;
  readonly personId: PersonId;
  readonly status: ParticipationStatus;
  /** The id of the activity, if it came over ActivityPub. */
  readonly uri: string | null;
  /** The host's reply; null if it confirms nobody, or none has arrived. */
  readonly reply: GuestReply | null;
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
  readonly reply?: GuestReply | null;
  /** When it was given, if the remote server says so. */
  readonly answeredAt?: Timestamp;
};

/** @returns undefined if the person has answered already, or the Guid is taken */
export async function insertParticipation(
  tx: Tx,
  answer: NewParticipation,
  now: Timestamp,
): Promise<ParticipationId | undefined> {
  const { guid, eventId, personId, status, answeredAt } = answer;
  const { uri = null, reply = null } = answer;
  const row = await tx
    .insertInto("participations")
    .values({
      guid,
      event_id: eventId,
      person_id: personId,
      status,
      uri,
      reply,
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
    reply = null,
  }: Pick<NewParticipation, "guid" | "reply" | "status" | "uri">,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("participations")
    .set({ guid, status, uri, reply, updated_at: now })
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

/** Stores the host's reply; a refused person does not come, a confirmed one does. */
export async function updateReply(
  tx: Tx,
  id: ParticipationId,
  reply: HostReply,
): Promise<void> {
  await tx
    .updateTable("participations")
    .set({
      reply,
      ...(reply === "refused" && { status: "declined" }),
      ...(reply === "confirmed" && { status: "accepted" }),
    })
    .where("id", "=", id)
    .execute();
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
