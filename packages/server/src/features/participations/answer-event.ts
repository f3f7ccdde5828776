import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { lockNames } from "../../db/lock-names.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import type { CalendarEvent, EventKey, Events } from "../events/index.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import { refuseMoved } from "../moved.ts";
import type { PersonId } from "../ids.ts";
import type { People } from "../people/index.ts";
import type { Author, Received } from "../posts/index.ts";
import type { Retractions } from "../retractions/index.ts";
import { countComing, findParticipation } from "./participation-queries.ts";
import {
  deleteParticipation,
  insertParticipation,
  updateAnswer,
  updateStatedAt,
  updateUri,
  type NewParticipation,
  type Participation,
  type ParticipationStatus,
} from "./participation-store.ts";

export type ParticipationsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly events: Events;
  readonly people: People;
  readonly retractions: Retractions;
};

/**
 * Sets the attendance of a local person. A second answer replaces the first.
 * @throws {KithError} `not_found` for an event that the user may not see
 */
export async function answerEvent(
  deps: ParticipationsDeps,
  by: Author,
  key: EventKey,
  status: ParticipationStatus,
): Promise<Participation> {
  const { db, events } = deps;
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, by.personId);
    const event = await events.findVisible(key, by, tx);
    if (!event) throw new KithError("not_found", "No such event.");
    const { personId } = by;
    const answer = { guid: newGuid(), eventId: event.id, personId, status };
    await lockAnswer(deps, tx, answer);
    if (!(await hasRoom(deps, tx, event, answer)))
      throw new KithError("bad_request", "The event is full.");
    return save(deps, tx, event, answer, true);
  });
  return notFoundIfGone(writing);
}

/** The fields of an answer that are known before its event is looked up. */
type NewAnswer = Pick<
  NewParticipation,
  "guid" | "status" | "answeredAt" | "uri"
>;

/** `full`: no place is left. */
export type ReceivedAnswer =
  Received<Participation> | { readonly kind: "full" };

/**
 * Stores a remote answer. The caller has authenticated its author and checked that the
 * author may see the event.
 */
export async function receiveAnswer(
  deps: ParticipationsDeps,
  answer: NewParticipation,
): Promise<ReceivedAnswer> {
  const { db, facts } = deps;
  const writing = db.transaction(async (tx) => {
    const { guid, eventId, personId, status, uri } = answer;
    await lockAnswer(deps, tx, answer);
    await lockNames(tx, db.dialect, [guid]);
    const same = await findParticipation(tx, { guid });
    if (same && (same.personId !== personId || same.eventId !== eventId))
      return { kind: "refused", reason: "The Guid is another one's" } as const;
    const known = await findParticipation(tx, { eventId, personId });
    if (known && isOutdated(known, answer))
      return { kind: "known", value: known } as const;
    if (same?.status === status && uri === undefined) {
      await noteStated(tx, same, answer);
      return { kind: "known", value: same } as const;
    }
    const thing = { kind: "Attendance", guid, personId } as const;
    if (await deps.retractions.isRetracted(tx, { ...thing, uri: null }))
      return { kind: "refused", reason: "It was retracted" } as const;
    const event = await deps.events.find({ id: eventId }, tx);
    if (!event) throw goneMeanwhile();
    if (!(await hasRoom(deps, tx, event, answer)))
      return { kind: "full" } as const;
    if (known && known.guid !== guid) await supersede(deps, tx, known);
    const value = await save(deps, tx, event, answer);
    await facts.noteArrival(tx, [guid]);
    return { kind: "stored", value } as const;
  });
  return notFoundIfGone(writing);
}

/**
 * Is a remote answer older than the stored one? Only the author's own timestamps decide,
 * not the order of arrival. Under the same Guid, an answer without a time is the original
 * one from before any change.
 */
export function isOutdated(
  known: Pick<Participation, "guid" | "statedAt" | "status">,
  { guid, status, answeredAt, uri }: NewAnswer,
): boolean {
  if (known.statedAt === null) return false;
  if (answeredAt !== undefined) return answeredAt < known.statedAt;
  return uri == null && known.guid === guid && known.status !== status;
}

/** Records a tombstone, so that a superseded answer cannot come back. */
async function supersede(
  { retractions }: ParticipationsDeps,
  tx: Tx,
  { guid, personId, eventId }: Participation,
): Promise<void> {
  await retractions.record(tx, {
    kind: "Attendance",
    guid,
    personId,
    uri: null,
    details: { kind: "Attendance", eventId },
  });
}

async function noteStated(
  tx: Tx,
  { id }: Participation,
  { answeredAt }: NewAnswer,
): Promise<void> {
  if (answeredAt !== undefined) await updateStatedAt(tx, id, answeredAt);
}

/**
 * Retracts a remote answer. Only its author may.
 * @returns false if this person has no such answer
 */
export async function receiveAnswerRetraction(
  { db, events, retractions }: ParticipationsDeps,
  guid: string,
  by: PersonId,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const answer = await findParticipation(tx, { guid });
    if (answer?.personId !== by) return false;
    if (!(await deleteParticipation(tx, answer.id))) return false;
    const { eventId } = answer;
    await events.noteAnswer(tx, eventId, by);
    await retractions.record(tx, {
      kind: "Attendance",
      guid,
      personId: by,
      uri: null,
      details: { kind: "Attendance", eventId },
    });
    return true;
  });
}

/** Is there a place left for this person, or does the person have one already? */
export async function hasRoom(
  { db, people }: Pick<ParticipationsDeps, "db" | "people">,
  tx: Tx,
  event: Pick<CalendarEvent, "id" | "personId" | "capacity">,
  { personId, status }: Pick<NewParticipation, "personId" | "status">,
): Promise<boolean> {
  const { id: eventId, capacity } = event;
  if (capacity === null || status !== "accepted") return true;
  // The host of a remote event counts its attendees: not all of them are known here.
  const host = await people.find({ id: event.personId }, tx);
  if (host?.userId == null) return true;
  // Serialized, or two people could take the last place.
  await lockKey(tx, db.dialect, `places:${eventId}`);
  const known = await findParticipation(tx, { eventId, personId });
  if (known?.status === "accepted" && known.reply !== "pending") return true;
  return (await countComing(tx, eventId)) < capacity;
}

export async function lockAnswer(
  { db }: Pick<ParticipationsDeps, "db">,
  tx: Tx,
  { eventId, personId }: Pick<NewParticipation, "eventId" | "personId">,
): Promise<void> {
  await lockKey(tx, db.dialect, `participation:${eventId}:${personId}`);
}

/** The same answer by another activity: later messages of its server will refer to that one. */
async function rename(
  tx: Tx,
  known: Participation,
  { uri }: NewParticipation,
): Promise<Participation> {
  if (uri == null || uri === known.uri) return known;
  await updateUri(tx, known.id, uri);
  return { ...known, uri };
}

/** Creates or updates the answer. A local person's answer keeps its Guid. */
async function save(
  deps: ParticipationsDeps,
  tx: Tx,
  event: CalendarEvent,
  answer: NewParticipation,
  isFromHere = false,
): Promise<Participation> {
  const { clock, events, facts } = deps;
  const { eventId, personId, status } = answer;
  const known = await findParticipation(tx, { eventId, personId });
  if (known) await noteStated(tx, known, answer);
  const guid = known && isFromHere ? known.guid : answer.guid;
  const reply = await replyTo(deps, tx, { event, answer, known, isFromHere });
  const isSame = known?.status === status && known.guid === guid;
  if (isSame && (known.reply !== "pending" || reply === "pending"))
    return rename(tx, known, answer);
  const now = answer.answeredAt ?? timestamp(clock.now());
  const saved = { ...answer, guid, reply };
  if (known) await updateAnswer(tx, known.id, saved, now);
  const id = known?.id ?? (await insertParticipation(tx, saved, now));
  const stored = id && (await findParticipation(tx, { id }));
  if (!stored) throw goneMeanwhile();
  const fact = { participationId: stored.id, by: personId };
  await events.noteAnswer(tx, eventId, personId);
  await facts.record(tx, { type: "participation.changed", ...fact });
  return stored;
}

/** The host has to confirm whoever wants to come, until it has. */
async function replyTo(
  { people }: ParticipationsDeps,
  tx: Tx,
  {
    event,
    answer,
    known,
    isFromHere,
  }: {
    readonly event: CalendarEvent;
    readonly answer: NewParticipation;
    readonly known: Participation | undefined;
    readonly isFromHere: boolean;
  },
): Promise<Participation["reply"]> {
  const { personId, status } = answer;
  if (status !== "accepted" || personId === event.personId) return null;
  if (known?.status === "accepted" && known.reply === "confirmed")
    return "confirmed";
  // One who came before guests had to be confirmed still comes.
  if (known?.status === "accepted" && known.reply === null) return null;
  if (!event.needsApproval) return null;
  const host = await people.find({ id: event.personId }, tx);
  // The server of a remote event has confirmed the guests of other servers that it names.
  return isFromHere || host?.userId != null ? "pending" : null;
}

/** An answer is deleted with its event. */
function goneMeanwhile(): KithError {
  return new KithError("not_found", "Deleted meanwhile.");
}
