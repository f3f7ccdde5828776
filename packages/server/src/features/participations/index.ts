import type { Reader } from "../../db/db.ts";
import type { EventKey } from "../events/index.ts";
import type { EventId, ParticipationId, PersonId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Author } from "../posts/index.ts";
import {
  answerEvent,
  receiveAnswer,
  receiveAnswerRetraction,
  type ParticipationsDeps,
} from "./answer-event.ts";
import {
  receiveHostReply,
  receiveWithdrawal,
  replyToGuest,
  type OrganizerReply,
} from "./host-replies.ts";
import {
  countAnswers,
  countAnswersOf,
  countComing,
  findParticipation,
  listAnswersBy,
  listAttendingIds,
  listNewestParticipations,
  listParticipations,
  type ParticipationKey,
} from "./participation-queries.ts";
import {
  deleteSomeParticipationsOf,
  type HostReply,
  type NewParticipation,
  type ParticipationStatus,
} from "./participation-store.ts";

export { isOutdated, type ReceivedAnswer } from "./answer-event.ts";
export { ORGANIZER_REPLIES, type OrganizerReply } from "./host-replies.ts";
export {
  PARTICIPATION_STATUSES,
  type HostReply,
  type Participation,
  type ParticipationStatus,
} from "./participation-store.ts";

/**
 * Attendance at events. Answers are visible to everyone who may see the event; requests to come,
 * which its organizer has yet to confirm, to these two people alone.
 */
export type Participations = ReturnType<typeof createParticipations>;

export function createParticipations(deps: ParticipationsDeps) {
  const { db } = deps;
  return {
    answer: (by: Author, key: EventKey, status: ParticipationStatus) =>
      answerEvent(deps, by, key, status),
    receive: (answer: NewParticipation) => receiveAnswer(deps, answer),
    receiveRetraction: ({ guid }: { readonly guid: string }, by: PersonId) =>
      receiveAnswerRetraction(deps, guid, by),
    /** The organizer confirms or refuses a guest who asked to come. */
    reply: (
      by: Author,
      key: EventKey,
      id: ParticipationId,
      reply: OrganizerReply,
    ) => replyToGuest(deps, by, key, id, reply),
    /** The reply of a remote event's host to a local person. */
    receiveReply: (key: ParticipationKey, reply: HostReply) =>
      receiveHostReply(deps, key, reply),
    /** A remote person withdraws an answer. */
    receiveWithdrawal: (
      event: Parameters<typeof receiveWithdrawal>[1],
      personId: PersonId,
    ) => receiveWithdrawal(deps, event, personId),
    /** For jobs and federation, never for a response. */
    find: (key: ParticipationKey, reader: Reader = db.read) =>
      findParticipation(reader, key),
    /** Answers to events. The caller has checked that the viewer may see the events. */
    listNewest: (
      eventIds: readonly EventId[],
      perEvent: number,
      viewer: PersonId | null,
    ) => listNewestParticipations(db.read, eventIds, perEvent, viewer),
    /** The same for one event. */
    list: (
      eventId: EventId,
      viewer: PersonId | null,
      wanted: { readonly page: Page; readonly isPending: boolean },
    ) => listParticipations(db.read, eventId, viewer, wanted),
    /** The number of each answer known here. */
    countAnswers: (eventId: EventId) => countAnswers(db.read, eventId),
    /** The same for several events; those without answers are missing. */
    countAnswersOf: (eventIds: readonly EventId[]) =>
      countAnswersOf(db.read, eventIds),
    /** The person's own answers to these events. */
    listAnswersBy: (personId: PersonId, eventIds: readonly EventId[]) =>
      listAnswersBy(db.read, personId, eventIds),
    /** The number of attendees known here; requests to come are not counted, here as above. */
    countComing: (eventId: EventId) => countComing(db.read, eventId),
    /** The people who come, or may come. */
    listAttendingIds: (eventId: EventId) => listAttendingIds(db.read, eventId),
    /** Removes answers of a deleted account. @returns true if more are left */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(async (tx) => {
        const ids = await deleteSomeParticipationsOf(tx, personId, limit);
        // In one order, whoever else leaves.
        for (const id of ids.toSorted((one, other) => one - other))
          await deps.events.noteAnswer(tx, id, personId);
        return ids.length > 0;
      }),
  };
}
