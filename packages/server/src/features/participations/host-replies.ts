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
 * Takes over what the host of an event elsewhere says to somebody here who wants
 * to come. Nobody else is told of it.
 * @returns false where nobody here asked, or no longer does
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
 * Somebody elsewhere takes back what was said about coming: neither yes nor no is left.
 * @returns false where there was nothing
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
