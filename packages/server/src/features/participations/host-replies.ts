import type { PersonId } from "../ids.ts";
import type { CalendarEvent } from "../events/index.ts";
import type { ParticipationsDeps } from "./answer-event.ts";
import {
  deleteParticipation,
  findParticipation,
  updateReply,
  type HostReply,
  type ParticipationKey,
} from "./participation-store.ts";

/**
 * Stores the reply of a remote event's host to a local person's answer. Notifies no one
 * else.
 * @returns false if no local person has such an open answer
 */
export async function receiveHostReply(
  { db }: Pick<ParticipationsDeps, "db">,
  key: ParticipationKey,
  reply: HostReply,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const known = await findParticipation(tx, key);
    if (known?.status !== "accepted") return false;
    await updateReply(tx, known.id, reply);
    return true;
  });
}

/**
 * A remote person withdraws an answer: neither yes nor no is left.
 * @returns false if there was none
 */
export async function receiveWithdrawal(
  { db }: Pick<ParticipationsDeps, "db">,
  { id: eventId }: Pick<CalendarEvent, "id">,
  personId: PersonId,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const known = await findParticipation(tx, { eventId, personId });
    return known !== undefined && deleteParticipation(tx, known.id);
  });
}
