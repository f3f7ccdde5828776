import type { Activity } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { CalendarEvent, Events } from "../../../features/events/index.ts";
import type {
  HostReply,
  Participation,
  Participations,
  ParticipationStatus,
} from "../../../features/participations/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Retractions } from "../../../features/retractions/index.ts";
import { receivedTimestamp, type Clock } from "../../../lib/time/clock.ts";
import { newGuid } from "../../../lib/guids.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { findKnown, type ObjectsDeps } from "../records/objects.ts";
import type { ReceiveFollowDeps } from "./receive-follow.ts";
import { findRemoteEvent } from "../records/remote-event-store.ts";
import { sendAnswer } from "../sending/send-answer.ts";
import { derivedGuid } from "../records/uris.ts";

export type ReceiveParticipationDeps = ObjectsDeps &
  ReceiveFollowDeps & {
    readonly db: Db;
    readonly events: Events;
    readonly participations: Participations;
    readonly retractions: Retractions;
    readonly clock: Clock;
  };

/** An event that a post announced, and its owner. */
type KnownEvent = { readonly event: CalendarEvent; readonly owner: Person };

/**
 * A Join of a local event: everyone who may see it may attend while there is room, and receives an
 * Accept (Mobilizon); at once, or when the organizer has confirmed the guest, see `answer-join.ts`.
 * For a remote event the attendance is only announced.
 */
export async function receiveJoin(
  deps: ReceiveParticipationDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const named = await findKnownEvent(deps, activity, sender);
  if (!named) return done("a join of something unknown");
  const result = await keepAnswer(deps, activity, sender, named, "accepted");
  const isAnswered = result === "kept" || result === "full";
  if (isAnswered && named.owner.userId !== null)
    await sendAnswer(deps, activity, sender, {
      type: result === "kept" ? "Accept" : "Reject",
      by: named.owner,
      about: named.event.guid,
    });
  return done(result === "kept" ? "join" : `join ${result}`);
}

export async function receiveLeave(
  deps: ReceiveParticipationDeps,
  activity: Pick<Activity, "object">,
  sender: Person,
): Promise<InboundResult> {
  const named = await findKnownEvent(deps, activity, sender);
  if (!named) return done("a leave of something unknown");
  await deps.participations.receiveWithdrawal(named.event, sender.id);
  return done("leave");
}

const ATTENDANCE: Readonly<Partial<Record<string, ParticipationStatus>>> = {
  Accept: "accepted",
  TentativeAccept: "tentative",
  Reject: "declined",
  TentativeReject: "declined",
};

/**
 * An Accept, TentativeAccept or Reject of an event: the actor's attendance (Friendica, Hubzilla).
 * These types have other meanings as well; the object decides.
 * @returns undefined where it is about something else
 */
export async function receiveAttendance(
  deps: ReceiveParticipationDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult | undefined> {
  const status = ATTENDANCE[activity.type];
  const named = status && (await findKnownEvent(deps, activity, sender));
  if (!named) return undefined;
  const result = await keepAnswer(deps, activity, sender, named, status);
  return done(result === "kept" ? "attendance" : `attendance ${result}`);
}

const REPLIES: Readonly<Partial<Record<string, HostReply>>> = {
  Accept: "confirmed",
  Reject: "refused",
  Ignore: "ignored",
};

/**
 * The answer to a local person's Join, by an organizer who may accept it.
 * @returns undefined where it answers something else
 */
export async function receiveJoinAnswer(
  deps: ReceiveParticipationDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult | undefined> {
  const reply = REPLIES[activity.type];
  const joined = await findJoin(deps, activity);
  if (!reply || !joined) return undefined;
  if (!(await mayLetIn(deps, joined, sender)))
    return done("not the host of the event");
  await deps.participations.receiveReply({ id: joined.id }, reply);
  return done(`join ${reply}`);
}

/** Find the local person's participation that an answer is about. */
async function findJoin(
  { uris, participations, people }: ReceiveParticipationDeps,
  { object }: Activity,
): Promise<Participation | undefined> {
  const guid =
    object?.id === undefined ? undefined : uris.guidOfActivity(object.id);
  const found =
    guid === undefined ? undefined : await participations.find({ guid });
  const by = found && (await people.find({ id: found.personId }));
  return by && by.userId !== null ? found : undefined;
}

async function mayLetIn(
  { db, events }: ReceiveParticipationDeps,
  { eventId }: Participation,
  sender: Person,
): Promise<boolean> {
  const event = await events.find({ id: eventId });
  if (event?.personId === sender.id) return true;
  const remote = await findRemoteEvent(db.read, eventId);
  const { actorUri } = sender.addresses;
  return actorUri !== null && remote?.organizers.includes(actorUri) === true;
}

/**
 * The Undo of a Join or of an attendance: retracts the participation.
 * @param undone the undone activity, where the Undo contains it
 * @returns undefined where it is about something else
 */
export async function receiveUndoAnswer(
  deps: ReceiveParticipationDeps,
  undone: { readonly uri: string | undefined; readonly inner?: Activity },
  sender: Person,
): Promise<InboundResult | undefined> {
  const { participations, events } = deps;
  const { uri, inner } = undone;
  const named =
    inner && (inner.type === "Join" || inner.type in ATTENDANCE)
      ? (await findKnownEvent(deps, inner, sender))?.event
      : undefined;
  const known =
    uri === undefined ? undefined : await participations.find({ uri });
  const isOwn = known?.personId === sender.id;
  const event =
    named ?? (isOwn ? await events.find({ id: known.eventId }) : undefined);
  if (!event) return undefined;
  // A newer answer has replaced the undone one.
  const current = await participations.find({
    eventId: event.id,
    personId: sender.id,
  });
  if (uri !== undefined && current && current.uri !== uri)
    return done("undone before");
  await participations.receiveWithdrawal(event, sender.id);
  return done("answer undone");
}

async function keepAnswer(
  deps: ReceiveParticipationDeps,
  activity: Activity,
  sender: Person,
  { event }: Pick<KnownEvent, "event">,
  status: ParticipationStatus,
): Promise<"full" | "kept" | "pending" | "refused"> {
  const { published } = activity;
  const received = await deps.participations.receive({
    guid: await chooseGuid(deps, event, sender),
    eventId: event.id,
    personId: sender.id,
    status,
    uri: activity.id ?? null,
    ...(published === undefined
      ? {}
      : { answeredAt: receivedTimestamp(published, deps.clock.now()) }),
  });
  const { kind } = received;
  if (kind === "refused" || kind === "full") return kind;
  return received.value.reply === "pending" ? "pending" : "kept";
}

/** Over ActivityPub an answer has no Guid: use that of the existing answer, or a new one. */
async function chooseGuid(
  { db, participations, retractions }: ReceiveParticipationDeps,
  { id: eventId, guid: eventGuid }: CalendarEvent,
  { id: personId, guid: personGuid }: Person,
): Promise<string> {
  const known = await participations.find({ eventId, personId });
  if (known) return known.guid;
  const guid = derivedGuid("participation", `${eventGuid}:${personGuid}`);
  const thing = { kind: "Attendance", guid, personId } as const;
  const isGone = await retractions.isRetracted(db.read, {
    ...thing,
    uri: null,
  });
  // Anyone can compute this Guid, and use it first.
  const isTaken = (await participations.find({ guid })) !== undefined;
  return isGone || isTaken ? newGuid() : guid;
}

/** Find the event whose post an object id names, if the sender may see it. */
async function findKnownEvent(
  deps: ReceiveParticipationDeps,
  activity: Pick<Activity, "object">,
  sender: Person,
): Promise<KnownEvent | undefined> {
  const { events, people } = deps;
  const uri = activity.object?.id;
  const known = uri === undefined ? undefined : await findKnown(deps, uri);
  if (known?.kind !== "post" || known.post.eventId === null) return undefined;
  const viewer = { personId: sender.id, userId: null };
  const event = await events.findVisible({ id: known.post.eventId }, viewer);
  const owner = event && (await people.find({ id: event.personId }));
  return event && owner?.id === known.post.personId
    ? { event, owner }
    : undefined;
}

/**
 * An answer to the event of a limited remote post, whose author is verified and is among the post's
 * recipients according to its server.
 * @returns undefined where it is about something else
 */
export async function receiveListedAnswer(
  deps: ReceiveParticipationDeps,
  activity: Activity,
  sender: Person,
  { eventId }: Post,
): Promise<Participation | undefined> {
  const status =
    activity.type === "Join" ? "accepted" : ATTENDANCE[activity.type];
  const event = eventId && (await deps.events.find({ id: eventId }));
  if (!event || status === undefined) return undefined;
  await keepAnswer(deps, activity, sender, { event }, status);
  const key = { eventId: event.id, personId: sender.id };
  const answer = await deps.participations.find(key);
  return answer?.status === status ? answer : undefined;
}
