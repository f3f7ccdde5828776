import {
  ActivityPubError,
  parseJson,
  readActivity,
  readPlainly,
  type Activity,
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
import { handleAnswer } from "./handle-answer.ts";
import { withdrawsWithheld } from "./threads/find-below.ts";
import { passOn, type PassOnDeps } from "./threads/pass-on.ts";
import { passToReaders } from "./threads/pass-to-readers.ts";
import { receiveBlockActivity, receiveFollow } from "./inbox/receive-follow.ts";
import {
  receiveForwarded,
  type ReceiveForwardedDeps,
} from "./threads/receive-forwarded.ts";
import { receiveMove, type ReceiveMoveDeps } from "./inbox/receive-move.ts";
import { withContextOf } from "./authority/vouched.ts";
import { findPassedOn, receivePassedOn } from "./inbox/receive-group.ts";
import {
  receiveJoin,
  receiveLeave,
  type ReceiveParticipationDeps,
} from "./inbox/receive-participation.ts";
import {
  receiveFollowOfServer,
  receiveRelayed,
  refuseObject,
  type ReceiveRelayedDeps,
} from "./threads/receive-relayed.ts";
import { receivePin } from "./inbox/receive-pin.ts";
import { recogniseRenamed } from "./inbox/recognise-renamed.ts";
import { receiveQuoteRequest } from "./quotes/receive-quote.ts";
import {
  receiveAnnounce,
  receiveDelete,
  receiveEmoji,
  receiveLikeActivity,
} from "./inbox/receive-reaction.ts";
import { receiveFlag, type ReceiveFlagDeps } from "./inbox/receive-flag.ts";
import { receiveUndo } from "./inbox/receive-undo.ts";
import {
  receiveCreate,
  receiveUpdate,
  type ReceiveWrittenDeps,
} from "./inbox/receive-written.ts";
import { isAcceptedFromActor } from "./inbox/takes-back.ts";

export type HandleInboundDeps = ReceiveForwardedDeps &
  PassOnDeps &
  ReceiveFlagDeps &
  ReceiveMoveDeps &
  ReceiveRelayedDeps &
  ReceiveParticipationDeps &
  ReceiveWrittenDeps;

/**
 * Processes activities. The sender of a verified one is its actor; any other was
 * forwarded.
 */
export function createActivityPubInbound(
  deps: HandleInboundDeps,
): InboundHandler {
  return async (message, attempt) => {
    const result = await handleUnlessAway({ ...deps, attempt }, message);
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
    // A malformed activity will not become readable later.
    if (error instanceof ActivityPubError)
      return done(`unreadable: ${error.code}`);
    if (error instanceof KithError && error.code === "unavailable")
      return { kind: "wait", reason: "A server that is asked is away" };
    throw error;
  }
}

/**
 * Finds the signer of the request, on whose account a message is deferred, also where it forwards
 * the activities of others.
 */
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
  return applyAndPassOn(deps, message, activity, sender, recipient);
}

async function handleForwarded(
  deps: HandleInboundDeps,
  message: InboundMessage,
  activity: Activity,
): Promise<InboundResult> {
  const { sender: forwarder } = message;
  if (forwarder !== null && (await deps.relays.isSubscribed(forwarder)))
    return receiveForwarded(deps, activity, (said, sender) =>
      applyRelayed(deps, said, sender),
    );
  return receiveForwarded(deps, activity, (said, sender) =>
    applyAndPassOn(deps, message, said, sender, null),
  );
}

/**
 * Applies an activity from a relay that we subscribed to: no local person need follow its author.
 */
async function applyRelayed(
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
  return apply(deps, activity, sender, way);
}

async function applyAndPassOn(
  deps: HandleInboundDeps,
  message: InboundMessage,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<InboundResult> {
  const way = { recipient, isDirect: message.verified };
  await recogniseRenamed(deps, activity, sender);
  const isUnknownToOthers = await withdrawsWithheld(deps, activity, sender);
  await passToReaders(deps, message, activity, sender);
  const result = await apply(deps, activity, sender, way);
  if (result.kind === "done" && !isUnknownToOthers)
    await passOn(deps, message, activity, sender);
  return result;
}

/** How an activity arrived. */
type Way = {
  /** The owner of the inbox that it arrived at. */
  readonly recipient: Person | null;
  /** It was forwarded by a group that is followed here, or by a relay. */
  readonly isWanted?: boolean;
  /** Its actor sent it directly, just now. */
  readonly isDirect?: boolean;
};

/** Applies an activity whose actor is verified. */
async function apply(
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
      return handleAnswer(deps, activity, sender, recipient);
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
      return receiveUndo(deps, activity, sender, isWanted);
    case "Update":
      return receiveUpdate(deps, activity, sender, recipient, isWanted);
    default:
      return done(`ignored ${activity.type}`.slice(0, 100));
  }
}

/** A relay forwards public posts, a group its members' activities; everyone else shares objects. */
async function receiveShare(
  deps: HandleInboundDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<InboundResult> {
  if (await deps.relays.isSubscribed(activity.actor))
    return receiveRelayed(deps, activity, (said, by) =>
      applyRelayed(deps, said, by),
    );
  const inner = findPassedOn(activity);
  if (!inner) return receiveAnnounce(deps, activity, sender, recipient);
  return receivePassedOn(deps, inner, sender, (believed, by) =>
    apply(deps, believed, by, { recipient: null, isWanted: true }),
  );
}
