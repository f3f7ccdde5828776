import {
  ActivityPubError,
  parseJson,
  readActivity,
  readPlainly,
  type Activity,
  type Note,
} from "@kith/activitypub";
import type { Person } from "../../features/people/index.ts";
import { KithError } from "../../lib/errors.ts";
import {
  done,
  type InboundHandler,
  type InboundResult,
} from "../inbound/inbound.ts";
import type { InboundMessage } from "../inbound/inbound-store.ts";
import type { WaitingBy } from "../inbound/waiting.ts";
import { passOn, type PassOnDeps } from "./threads/pass-on.ts";
import { watchThread } from "./threads/read-thread.ts";
import { isOfServer } from "./authority/origins.ts";
import { getObject, readOwnNote } from "./authority/vouched.ts";
import { receiveEdit } from "./inbox/receive-edit.ts";
import {
  receiveBlockActivity,
  receiveFollow,
  receiveFollowAnswer,
  receiveUndoFollow,
  receiveUndoFollowById,
} from "./inbox/receive-follow.ts";
import {
  receiveForwarded,
  type ReceiveForwardedDeps,
} from "./threads/receive-forwarded.ts";
import { receiveMove, type ReceiveMoveDeps } from "./inbox/receive-move.ts";
import { withContextOf } from "./inbox/receive-attachment.ts";
import { findPassedOn, receivePassedOn } from "./inbox/receive-group.ts";
import { receiveNote } from "./inbox/receive-note.ts";
import {
  receiveAttendance,
  receiveJoin,
  receiveJoinAnswer,
  receiveLeave,
  receiveUndoAnswer,
  type ReceiveParticipationDeps,
} from "./inbox/receive-participation.ts";
import {
  receiveFollowOfServer,
  receiveRelayAnswer,
  receiveRelayed,
  refuseObject,
  type ReceiveRelayedDeps,
} from "./relays/receive-relayed.ts";
import { receivePin } from "./inbox/receive-pin.ts";
import { receiveQuoteRequest } from "./quotes/receive-quote.ts";
import { receiveQuoteAnswer } from "./quotes/receive-quote-answer.ts";
import {
  receiveAnnounce,
  receiveDelete,
  receiveEmoji,
  receiveLikeActivity,
  receiveUndoReaction,
} from "./inbox/receive-reaction.ts";
import { receiveFlag, type ReceiveFlagDeps } from "./inbox/receive-flag.ts";
import { receiveVotes } from "./inbox/receive-vote.ts";
import { isAcceptedFromActor } from "./inbox/reading/takes-back.ts";

export type HandleInboundDeps = ReceiveForwardedDeps &
  PassOnDeps &
  ReceiveFlagDeps &
  ReceiveMoveDeps &
  ReceiveRelayedDeps &
  ReceiveParticipationDeps & {
    readonly refreshActor: (uri: string) => Promise<Person | undefined>;
  };

/** Processes activities: of those whose sender was verified before they were stored the sender is the actor. */
export function createActivityPubInbound(
  deps: HandleInboundDeps,
): InboundHandler {
  return async (message) => {
    const result = await handleUnlessAway(deps, message);
    if (result.kind === "done") return result;
    const by = await findWaitingBy(deps, message);
    return { ...result, ...(by && { by }) };
  };
}

async function handleUnlessAway(
  deps: HandleInboundDeps,
  message: InboundMessage,
): Promise<InboundResult> {
  try {
    return await handle(deps, message);
  } catch (error) {
    // What cannot be read will not be readable later either.
    if (error instanceof ActivityPubError)
      return done(`unreadable: ${error.code}`);
    if (error instanceof KithError && error.code === "unavailable")
      return { kind: "wait", reason: "A server that is asked is away" };
    throw error;
  }
}

/** Who signed the request, which chose that something waits: also where it passes on what others say. */
async function findWaitingBy(
  { people, contacts }: HandleInboundDeps,
  { sender: name }: InboundMessage,
): Promise<WaitingBy | undefined> {
  const sender = name === null ? undefined : await people.find({ uri: name });
  if (name === null || !sender) return undefined;
  return { name, isFollowed: await contacts.hasFollowersHere(sender.id) };
}

async function handle(
  deps: HandleInboundDeps,
  message: InboundMessage,
): Promise<InboundResult> {
  const activity = readActivity(
    await readPlainly(parseJson(message.body), deps.jsonLd),
  );
  if (!message.verified) return handleForwarded(deps, message, activity);
  const sender = await deps.people.find({ uri: activity.actor });
  if (!isAcceptedFromActor(sender, activity)) return done("the actor is gone");
  const recipient =
    message.recipientUserId === null
      ? null
      : ((await deps.people.find({ userId: message.recipientUserId })) ?? null);
  if (recipient?.state === "shut_out")
    return done("the recipient is suspended");
  return carryOutAndPassOn(deps, message, activity, sender, recipient);
}

async function handleForwarded(
  deps: HandleInboundDeps,
  message: InboundMessage,
  activity: Activity,
): Promise<InboundResult> {
  const { sender: carrier } = message;
  if (carrier !== null && (await deps.relays.isSubscribed(carrier)))
    return receiveForwarded(deps, activity, (said, sender) =>
      carryOutRelayed(deps, said, sender),
    );
  return receiveForwarded(deps, activity, (said, sender) =>
    carryOutAndPassOn(deps, message, said, sender, null),
  );
}

/** What a relay brings that we asked: nobody here need follow its author. */
async function carryOutRelayed(
  deps: HandleInboundDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const { type, object, raw } = activity;
  const written = object?.embedded;
  if (type === "Create" || type === "Update") {
    const refusal =
      written && (await refuseObject(deps, withContextOf(raw, written)));
    if (refusal !== undefined) return done(refusal);
  }
  const way = { recipient: null, isWanted: type === "Create" };
  return carryOut(deps, activity, sender, way);
}

async function carryOutAndPassOn(
  deps: HandleInboundDeps,
  message: InboundMessage,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<InboundResult> {
  const way = { recipient, isDirect: message.verified };
  const result = await carryOut(deps, activity, sender, way);
  if (result.kind === "done") await passOn(deps, message, activity, sender);
  return result;
}

/** How something came. */
type Way = {
  /** Whose own inbox it came to. */
  readonly recipient: Person | null;
  /** A group that is followed here has passed it on, or a relay. */
  readonly isWanted?: boolean;
  /** Its actor has sent it, just now. */
  readonly isDirect?: boolean;
};

/** Does what somebody is known to say. */
async function carryOut(
  deps: HandleInboundDeps,
  activity: Activity,
  sender: Person,
  { recipient, isWanted = false, isDirect = false }: Way,
): Promise<InboundResult> {
  switch (activity.type) {
    case "Follow":
      return activity.object?.id === deps.uris.instance
        ? receiveFollowOfServer(deps, activity)
        : receiveFollow(deps, activity, sender);
    case "Accept":
    case "Ignore":
    case "Reject":
    case "TentativeAccept":
    case "TentativeReject":
      return receiveReply(deps, activity, sender, recipient);
    case "Join":
      return receiveJoin(deps, activity, sender);
    case "Leave":
      return receiveLeave(deps, activity, sender);
    case "Block":
      return receiveBlockActivity(deps, activity, sender, true);
    case "Create":
      return receiveCreate(deps, activity, sender, recipient, isWanted);
    case "Announce":
      return receiveShare(deps, activity, sender, recipient);
    case "Like":
    case "Dislike":
      return receiveLikeActivity(deps, activity, sender, isDirect);
    case "EmojiReact":
      return receiveEmoji(deps, activity, sender, isDirect);
    case "QuoteRequest":
      return receiveQuoteRequest(deps, activity, sender);
    case "Add":
    case "Remove":
      return receivePin(deps, activity, sender);
    case "Flag":
      return receiveFlag(deps, activity, sender);
    case "Delete":
      return receiveDelete(deps, activity, sender);
    case "Move":
      return receiveMove(deps, activity, sender);
    case "Undo":
      return receiveUndo(deps, activity, sender);
    case "Update":
      return receiveUpdate(deps, activity, sender, recipient, isWanted);
    default:
      return done(`ignored ${activity.type}`.slice(0, 100));
  }
}

/** A relay passes on what is public, a group what its members did; everybody else shares things. */
async function receiveShare(
  deps: HandleInboundDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<InboundResult> {
  if (await deps.relays.isSubscribed(activity.actor))
    return receiveRelayed(deps, activity, (said, by) =>
      carryOutRelayed(deps, said, by),
    );
  const inner = findPassedOn(activity);
  if (!inner) return receiveAnnounce(deps, activity, sender, recipient);
  return receivePassedOn(deps, inner, sender, (believed, by) =>
    carryOut(deps, believed, by, { recipient: null, isWanted: true }),
  );
}

/** What is accepted or rejected, the object tells: an event of ours, a Join of ours, else a Follow of ours. */
async function receiveReply(
  deps: HandleInboundDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<InboundResult> {
  const { type } = activity;
  const answered =
    (await receiveRelayAnswer(deps, activity)) ??
    (await receiveAttendance(deps, activity, sender)) ??
    (await receiveJoinAnswer(deps, activity, sender)) ??
    (await receiveQuoteAnswer(deps, activity, sender));
  if (answered) return answered;
  return type === "Accept" || type === "Reject"
    ? receiveFollowAnswer(deps, activity, sender, recipient)
    : done("the answer to nothing");
}

async function receiveCreate(
  deps: HandleInboundDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
  isWanted: boolean,
): Promise<InboundResult> {
  const votes = await receiveVotes(deps, activity, sender);
  if (votes) return votes;
  const object =
    activity.object && (await getObject(deps, activity.object, sender));
  const note = object && readOwnNote(withContextOf(activity.raw, object));
  if (!note) return done("an object that its author does not vouch for");
  if (note.attributedTo !== sender.addresses.actorUri)
    return done("created by somebody else");
  return receiveNote(deps, note, sender, recipient, isWanted);
}

async function receiveUndo(
  deps: HandleInboundDeps,
  { object }: Activity,
  sender: Person,
): Promise<InboundResult> {
  if (object?.id === undefined && !object?.embedded)
    return done("an undo of nothing");
  const actorUri = sender.addresses.actorUri ?? "";
  const inner = object.embedded && readActivity(object.embedded);
  if (inner && inner.actor !== actorUri)
    return done("an undo of somebody else's");
  if (inner?.type === "Follow") return receiveUndoFollow(deps, inner, sender);
  if (inner?.type === "Block")
    return receiveBlockActivity(deps, inner, sender, false);
  const answer = { uri: object.id ?? inner?.id, ...(inner && { inner }) };
  const undone = await receiveUndoAnswer(deps, answer, sender);
  if (undone) return undone;
  const uri = object.id ?? inner?.id;
  if (uri === undefined || !isOfServer(uri, actorUri))
    return done("an undo of somebody else's");
  if (!inner && (await receiveUndoFollowById(deps, uri, sender)))
    return done("follow undone");
  return receiveUndoReaction(deps, { uri, guid: inner?.guid }, sender);
}

/** Longer ago nobody here wanted it, or it was deleted here: its edit is no news (as with Mastodon). */
const OLD_MS = 24 * 3_600_000;

function isOld(
  { clock }: Pick<HandleInboundDeps, "clock">,
  { published }: Pick<Note, "published">,
): boolean {
  const ageMs = clock.now().getTime() - Date.parse(published ?? "");
  return ageMs > OLD_MS;
}

/** An Update of the actor itself, whose own document is read again, or of what it wrote. */
async function receiveUpdate(
  deps: HandleInboundDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
  isWanted: boolean,
): Promise<InboundResult> {
  const { object: ref, actor } = activity;
  if (ref?.id === actor) {
    await deps.refreshActor(sender.addresses.actorUri ?? actor);
    return done("profile");
  }
  const object = ref && (await getObject(deps, ref, sender));
  const note = object && readOwnNote(withContextOf(activity.raw, object));
  if (note?.attributedTo !== sender.addresses.actorUri)
    return done("an update of what is not the actor's");
  if (await receiveEdit(deps, note, sender)) {
    await watchThread(deps, note, sender);
    return done("edit");
  }
  // It may overtake the Create of the same, which is then not old.
  if (isOld(deps, note)) return done("an update of something old and unknown");
  const result = await receiveNote(deps, note, sender, recipient, isWanted);
  if (result.kind === "done") await watchThread(deps, note, sender);
  return result;
}
