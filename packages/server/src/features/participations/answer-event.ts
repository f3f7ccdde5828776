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
import {
  countComing,
  deleteParticipation,
  findParticipation,
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
 * Says whether somebody here comes. A second answer takes the place of the first.
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
    return save(deps, tx, answer, true);
  });
  return notFoundIfGone(writing);
}

/** What an answer says of itself, before it is looked for to what. */
type NewAnswer = Pick<
  NewParticipation,
  "guid" | "status" | "answeredAt" | "uri"
>;

/** `full`: as many come as may. */
export type ReceivedAnswer =
  Received<Participation> | { readonly kind: "full" };

/** Stores an answer from elsewhere whose author is certain and may see the event. */
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
    if (event && !(await hasRoom(deps, tx, event, answer)))
      return { kind: "full" } as const;
    if (known && known.guid !== guid) await supersede(deps, tx, known);
    const value = await save(deps, tx, answer);
    await facts.noteArrival(tx, [guid]);
    return { kind: "stored", value } as const;
  });
  return notFoundIfGone(writing);
}

/**
 * Is an answer from elsewhere older than the one there is? Its author's clock alone says
 * so, whenever either came here. Under the same Guid, what says no time is what was
 * there before anything was changed.
 */
export function isOutdated(
  known: Pick<Participation, "guid" | "statedAt" | "status">,
  { guid, status, answeredAt, uri }: NewAnswer,
): boolean {
  if (known.statedAt === null) return false;
  if (answeredAt !== undefined) return answeredAt < known.statedAt;
  return uri == null && known.guid === guid && known.status !== status;
}

/** Nobody brings back an answer in whose place another one came. */
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
 * Takes back an answer from elsewhere. Only who gave it may.
 * @returns false where there is no such answer of this person
 */
export async function receiveAnswerRetraction(
  { db, retractions }: ParticipationsDeps,
  guid: string,
  by: PersonId,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const answer = await findParticipation(tx, { guid });
    if (answer?.personId !== by) return false;
    if (!(await deleteParticipation(tx, answer.id))) return false;
    const { eventId } = answer;
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

/** Is there a place left for who wants to come, or has one already? */
async function hasRoom(
  { db, people }: ParticipationsDeps,
  tx: Tx,
  event: Pick<CalendarEvent, "id" | "personId" | "capacity">,
  { personId, status }: NewParticipation,
): Promise<boolean> {
  const { id: eventId, capacity } = event;
  if (capacity === null || status !== "accepted") return true;
  // Of an event elsewhere its own server counts who comes: not all of them are known here.
  const host = await people.find({ id: event.personId }, tx);
  if (host?.userId == null) return true;
  // One after the other, or two would take the last place.
  await lockKey(tx, db.dialect, `places:${eventId}`);
  const known = await findParticipation(tx, { eventId, personId });
  if (known?.status === "accepted") return true;
  return (await countComing(tx, eventId)) < capacity;
}

async function lockAnswer(
  { db }: ParticipationsDeps,
  tx: Tx,
  { eventId, personId }: NewParticipation,
): Promise<void> {
  await lockKey(tx, db.dialect, `participation:${eventId}:${personId}`);
}

/** The same answer again, by another activity: its server will speak of that one from now on. */
async function rename(
  tx: Tx,
  known: Participation,
  { uri }: NewParticipation,
): Promise<Participation> {
  if (uri == null || uri === known.uri) return known;
  await updateUri(tx, known.id, uri);
  return { ...known, uri };
}

/** Of somebody here the Guid stays, whatever the answer. */
async function save(
  { clock, facts }: ParticipationsDeps,
  tx: Tx,
  answer: NewParticipation,
  isFromHere = false,
): Promise<Participation> {
  const { eventId, personId, status } = answer;
  const known = await findParticipation(tx, { eventId, personId });
  if (known) await noteStated(tx, known, answer);
  const guid = known && isFromHere ? known.guid : answer.guid;
  if (known?.status === status && known.guid === guid)
    return rename(tx, known, answer);
  const now = answer.answeredAt ?? timestamp(clock.now());
  if (known) await updateAnswer(tx, known.id, { ...answer, guid }, now);
  const id = known?.id ?? (await insertParticipation(tx, answer, now));
  const stored = id && (await findParticipation(tx, { id }));
  // It went with its event.
  if (!stored) throw new KithError("not_found", "Deleted meanwhile.");
  const fact = { participationId: stored.id, by: personId };
  await facts.record(tx, { type: "participation.changed", ...fact });
  return stored;
}
