import type { Reader } from "../../db/db.ts";
import type { EventKey } from "../events/index.ts";
import type { EventId, PersonId } from "../ids.ts";
import type { Author } from "../posts/index.ts";
import {
  answerEvent,
  receiveAnswer,
  receiveAnswerRetraction,
  type ParticipationsDeps,
} from "./answer-event.ts";
import { receiveHostReply, receiveWithdrawal } from "./host-replies.ts";
import {
  countComing,
  deleteSomeParticipationsOf,
  findParticipation,
  listAttendingIds,
  listNewestParticipations,
  type HostReply,
  type NewParticipation,
  type ParticipationKey,
  type ParticipationStatus,
} from "./participation-store.ts";

export { isOutdated, type ReceivedAnswer } from "./answer-event.ts";
export {
  PARTICIPATION_STATUSES,
  type HostReply,
  type Participation,
  type ParticipationStatus,
} from "./participation-store.ts";

/** Who comes to an event. Who sees the event sees the answers to it. */
export type Participations = ReturnType<typeof createParticipations>;

export function createParticipations(deps: ParticipationsDeps) {
  const { db } = deps;
  return {
    answer: (by: Author, key: EventKey, status: ParticipationStatus) =>
      answerEvent(deps, by, key, status),
    receive: (answer: NewParticipation) => receiveAnswer(deps, answer),
    receiveRetraction: ({ guid }: { readonly guid: string }, by: PersonId) =>
      receiveAnswerRetraction(deps, guid, by),
    /** What the host of an event elsewhere says to somebody here. */
    receiveReply: (key: ParticipationKey, reply: HostReply) =>
      receiveHostReply(deps, key, reply),
    /** Somebody elsewhere takes an answer back. */
    receiveWithdrawal: (
      event: Parameters<typeof receiveWithdrawal>[1],
      personId: PersonId,
    ) => receiveWithdrawal(deps, event, personId),
    /** For jobs and federation, never for an answer. */
    find: (key: ParticipationKey, reader: Reader = db.read) =>
      findParticipation(reader, key),
    /** Answers to events that the caller has found visible. */
    listNewest: (eventIds: readonly EventId[], perEvent: number) =>
      listNewestParticipations(db.read, eventIds, perEvent),
    /** How many people come, as far as they said so. */
    countComing: (eventId: EventId) => countComing(db.read, eventId),
    /** Who comes, or may come. */
    listAttendingIds: (eventId: EventId) => listAttendingIds(db.read, eventId),
    /** Of somebody who has left. @returns true where more are left */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) =>
          (await deleteSomeParticipationsOf(tx, personId, limit)) > 0,
      ),
  };
}
