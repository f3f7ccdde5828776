import { KithError } from "../../lib/errors.ts";
import type { CalendarEvent, EventKey } from "../events/index.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { ParticipationId, PersonId } from "../ids.ts";
import { refuseMoved } from "../moved.ts";
import type { Author } from "../posts/index.ts";
import {
  hasRoom,
  lockAnswer,
  type ParticipationsDeps,
} from "./answer-event.ts";
import {
  findParticipation,
  type ParticipationKey,
} from "./participation-queries.ts";
import {
  deleteParticipation,
  updateReply,
  type HostReply,
  type Participation,
} from "./participation-store.ts";

/** The replies that the organizer of a local event can give a guest. */
export const ORGANIZER_REPLIES = ["confirmed", "refused"] as const;
export type OrganizerReply = (typeof ORGANIZER_REPLIES)[number];

/**
 * Confirms or refuses a guest who asked to come to the organizer's event. A later reply
 * replaces it, and the guest learns of each.
 * @throws {KithError} `not_found` for the event of another person or an unknown answer,
 * `bad_request` for a guest who does not ask to come, or if no place is left
 */
export async function replyToGuest(
  deps: ParticipationsDeps,
  by: Author,
  key: EventKey,
  id: ParticipationId,
  reply: OrganizerReply,
): Promise<Participation> {
  const { db, events, facts } = deps;
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, by.personId);
    const event = await events.find(key, tx);
    if (event?.personId !== by.personId)
      throw new KithError("not_found", "No such event.");
    const seen = await findParticipation(tx, { id });
    if (seen?.eventId !== event.id) throw noSuchAnswer();
    await lockAnswer(deps, tx, seen);
    const known = await findParticipation(tx, { id });
    if (!known) throw noSuchAnswer();
    if (known.reply === reply) return known;
    if (!hasAsked(known))
      throw new KithError("bad_request", "The guest does not ask to come.");
    const { personId } = known;
    const comes = { personId, status: "accepted" } as const;
    if (reply === "confirmed" && !(await hasRoom(deps, tx, event, comes)))
      throw new KithError("bad_request", "The event is full.");
    await updateReply(tx, id, reply);
    await events.noteAnswer(tx, event.id, personId);
    const fact = { participationId: id, by: by.personId };
    await facts.record(tx, { type: "participation.replied", ...fact });
    // The others learn of a guest from now on.
    if (reply === "confirmed")
      await facts.record(tx, {
        ...{ type: "participation.changed", participationId: id },
        by: personId,
      });
    const stored = await findParticipation(tx, { id });
    if (!stored) throw noSuchAnswer();
    return stored;
  });
  return notFoundIfGone(writing);
}

/** Does the guest ask to come, or has it asked and received a reply? */
function hasAsked({ status, reply }: Participation): boolean {
  return status === "accepted" ? reply !== null : reply === "refused";
}

function noSuchAnswer(): KithError {
  return new KithError("not_found", "No such answer.");
}

/**
 * Stores the reply of a remote event's host to a local person's answer. The person is
 * notified of a refusal, and of the confirmation that it waits for.
 * @returns false if no local person has such an open answer
 */
export async function receiveHostReply(
  deps: Pick<ParticipationsDeps, "db" | "events" | "facts">,
  key: ParticipationKey,
  reply: HostReply,
): Promise<boolean> {
  const { db, events, facts } = deps;
  return db.transaction(async (tx) => {
    const seen = await findParticipation(tx, key);
    if (seen) await lockAnswer(deps, tx, seen);
    const known = seen && (await findParticipation(tx, { id: seen.id }));
    if (!known) return false;
    const isOpen = known.status === "accepted" || known.reply === "refused";
    if (!isOpen || (known.reply === "refused" && reply === "ignored"))
      return false;
    if (known.reply === reply) return true;
    const { id: participationId, eventId, personId } = known;
    const event = await events.find({ id: eventId }, tx);
    if (!event) return false;
    await updateReply(tx, participationId, reply);
    await events.noteAnswer(tx, eventId, personId);
    const isNews =
      reply === "refused" || (reply === "confirmed" && known.reply !== null);
    if (isNews)
      await facts.record(tx, {
        ...{ type: "participation.replied", participationId },
        by: event.personId,
      });
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
