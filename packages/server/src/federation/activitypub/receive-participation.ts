import type { Activity } from "@kith/activitypub";
import type { Db } from "../../db/db.ts";
import type { CalendarEvent, Events } from "../../features/events/index.ts";
import type {
  HostReply,
  Participation,
  Participations,
  ParticipationStatus,
} from "../../features/participations/index.ts";
import type { Person } from "../../features/people/index.ts";
import { done, type InboundResult } from "../inbound/inbound.ts";
import { findKnown, type ObjectsDeps } from "./objects.ts";
import { sendAnswer, type ReceiveFollowDeps } from "./receive-follow.ts";
import { findRemoteEvent } from "./remote-event-store.ts";
import { derivedGuid } from "./uris.ts";

export type ReceiveParticipationDeps = ObjectsDeps &
  ReceiveFollowDeps & {
    readonly db: Db;
    readonly events: Events;
    readonly participations: Participations;
  };

/** An event of somebody here, and its owner. */
type OwnEvent = { readonly event: CalendarEvent; readonly owner: Person };

/** A Join of an event of ours: whoever may see it may come, and is told so (Mobilizon). */
export async function receiveJoin(
  deps: ReceiveParticipationDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const own = await findOwnEvent(deps, activity, sender);
  if (!own) return done("a join of something unknown");
  const result = await keepAnswer(deps, activity, sender, own, "accepted");
  if (result === "kept")
    await sendAnswer(deps, activity, sender, own.owner, "Accept");
  return done(result === "kept" ? "join" : "join refused");
}

export async function receiveLeave(
  deps: ReceiveParticipationDeps,
  activity: Pick<Activity, "object">,
  sender: Person,
): Promise<InboundResult> {
  const own = await findOwnEvent(deps, activity, sender);
  if (!own) return done("a leave of something unknown");
  await deps.participations.receiveWithdrawal(own.event, sender.id);
  return done("leave");
}

const ATTENDANCE: Readonly<Partial<Record<string, ParticipationStatus>>> = {
  Accept: "accepted",
  TentativeAccept: "tentative",
  Reject: "declined",
  TentativeReject: "declined",
};

/**
 * An Accept, TentativeAccept or Reject of an event of ours: whether its actor comes
 * (Friendica, Hubzilla). These words mean other things as well; the object tells.
 * @returns undefined where it is about something else
 */
export async function receiveAttendance(
  deps: ReceiveParticipationDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult | undefined> {
  const status = ATTENDANCE[activity.type];
  const own = status && (await findOwnEvent(deps, activity, sender));
  if (!own) return undefined;
  const result = await keepAnswer(deps, activity, sender, own, status);
  return done(result === "kept" ? "attendance" : "attendance refused");
}

const REPLIES: Readonly<Partial<Record<string, HostReply>>> = {
  Accept: "confirmed",
  Reject: "refused",
  Ignore: "ignored",
};

/**
 * The answer to a Join of ours, by somebody who may let people in.
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

/** The participation of somebody here that an answer is about. */
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
 * The Undo of a Join or of an attendance: what was said about coming is unsaid.
 * @param undone the activity that was undone, where the Undo brings it
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
      ? (await findOwnEvent(deps, inner, sender))?.event
      : undefined;
  const known =
    uri === undefined ? undefined : await participations.find({ uri });
  const isOwn = known?.personId === sender.id;
  const event =
    named ?? (isOwn ? await events.find({ id: known.eventId }) : undefined);
  if (!event) return undefined;
  // A newer answer has taken the place of the one that is undone.
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
  { participations }: ReceiveParticipationDeps,
  activity: Activity,
  sender: Person,
  { event }: OwnEvent,
  status: ParticipationStatus,
): Promise<"kept" | "refused"> {
  const received = await participations.receive({
    guid: derivedGuid("participation", `${event.guid}:${sender.guid}`),
    eventId: event.id,
    personId: sender.id,
    status,
    uri: activity.id ?? null,
  });
  return received.kind === "refused" ? "refused" : "kept";
}

/** The event of ours that an object id names, as far as the sender may see it. */
async function findOwnEvent(
  deps: ReceiveParticipationDeps,
  activity: Pick<Activity, "object">,
  sender: Person,
): Promise<OwnEvent | undefined> {
  const { events, people, uris } = deps;
  const uri = activity.object?.id;
  if (uri === undefined || !uris.isLocal(uri)) return undefined;
  const known = await findKnown(deps, uri);
  if (known?.kind !== "post" || known.post.eventId === null) return undefined;
  const viewer = { personId: sender.id, userId: null };
  const event = await events.findVisible({ id: known.post.eventId }, viewer);
  const owner = event && (await people.find({ id: event.personId }));
  return event && owner?.userId != null && owner.id === known.post.personId
    ? { event, owner }
    : undefined;
}
