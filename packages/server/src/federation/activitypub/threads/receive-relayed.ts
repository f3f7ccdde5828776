import {
  buildActivity,
  readActivity,
  type Activity,
  type JsonObject,
} from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import type { RateLimit } from "../../../lib/limits/rate-limit.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { fetchObject } from "../authority/fetch-own.ts";
import { originOf } from "../authority/origins.ts";
import { readOwnNote } from "../authority/vouched.ts";
import { isPublic } from "../records/is-for-everyone.ts";
import { findKnown } from "../records/objects.ts";
import {
  receiveForwarded,
  type ReceiveForwardedDeps,
} from "./receive-forwarded.ts";
import { findPassedOn, isPassedOn } from "../inbox/receive-group.ts";
import { receiveNote } from "../notes/receive-note.ts";
import { echoActivity } from "../sending/send-answer.ts";
import { derivedGuid } from "../records/uris.ts";
import { sendAsServer, type RelayDeps } from "../relays/follow-relay.ts";

export type ReceiveRelayedDeps = ReceiveForwardedDeps &
  RelayDeps & {
    /** Limits the fetches that each relay may cause. */
    readonly relaying: RateLimit;
  };

type ApplyActivity = (
  activity: Activity,
  sender: Person,
) => Promise<InboundResult>;

/**
 * An Announce of a subscribed relay. It is not a share: its object is fetched
 * from its own server, and belongs to its author. Embedded content is not
 * trusted.
 */
export async function receiveRelayed(
  deps: ReceiveRelayedDeps,
  announce: Activity,
  applyActivity: ApplyActivity,
): Promise<InboundResult> {
  const uri = announce.object?.id;
  if (uri === undefined) return done("an announce of nothing");
  if (deps.uris.isLocal(uri)) return done("ours, come back by a relay");
  const inner = findPassedOn(announce);
  if (!inner && (await findKnown(deps, uri))) return done("known here");
  if (!deps.relaying.take(announce.actor)) return done("too much of one relay");
  if (inner) return receiveActivity(deps, inner, applyActivity);
  const object = await fetchObject(deps, uri);
  if (!object) return done("nobody vouches for it");
  return isPassedOn(object)
    ? receiveActivity(deps, readActivity(object), applyActivity)
    : receiveObject(deps, object);
}

async function receiveActivity(
  deps: ReceiveRelayedDeps,
  activity: Activity,
  applyActivity: ApplyActivity,
): Promise<InboundResult> {
  if (deps.uris.isLocal(activity.actor))
    return done("ours, come back by a relay");
  return receiveForwarded(deps, activity, applyActivity);
}

async function receiveObject(
  deps: ReceiveRelayedDeps,
  object: JsonObject,
): Promise<InboundResult> {
  const refusal = await refuseObject(deps, object);
  if (refusal !== undefined) return done(refusal);
  const note = readOwnNote(object);
  const author = note && (await deps.discoverActor(note.attributedTo));
  if (!note || author?.state !== "active")
    return done("its author cannot be found");
  return receiveNote(deps, note, author, null, true);
}

/**
 * Why an object is not accepted from a relay: it is not public, or it answers
 * an unknown object, which nobody here asked for.
 */
export async function refuseObject(
  deps: ReceiveRelayedDeps,
  object: JsonObject,
): Promise<string | undefined> {
  const note = readOwnNote(object);
  if (!note) return "an object that its author does not vouch for";
  if (!isPublic(note.to, note.cc)) return "relayed, but not public";
  return note.inReplyTo !== undefined &&
    !(await findKnown(deps, note.inReplyTo))
    ? "an answer to what is not known here"
    : undefined;
}

/**
 * A relay's answer to our subscription: by the followed actor, or, for an
 * inbox, by an actor of its server.
 * @returns undefined if it answers something else
 */
export async function receiveRelayAnswer(
  { relays, uris }: RelayDeps,
  { type, actor, object }: Activity,
): Promise<InboundResult | undefined> {
  const guid =
    object?.id === undefined ? undefined : uris.guidOfActivity(object.id);
  const relay =
    guid === undefined ? undefined : await relays.findByFollow(guid);
  if (!relay) return undefined;
  const isItself =
    relay.actorUri === null
      ? originOf(relay.url) === originOf(actor)
      : relay.actorUri === actor;
  if (!isItself) return done("the answer of another one than the relay");
  if (type !== "Accept" && type !== "Reject") return done("no answer");
  const state = type === "Accept" ? "accepted" : "rejected";
  await relays.note(relay, { state, actorUri: actor });
  return done(`relay ${state}`);
}

/**
 * A relay that we follow follows back; no one else may follow the server actor.
 */
export async function receiveFollowOfServer(
  deps: RelayDeps,
  follow: Activity,
): Promise<InboundResult> {
  const { relays, uris } = deps;
  const relay = (await relays.list()).find(
    ({ actorUri, state }) => actorUri === follow.actor && state !== "rejected",
  );
  if (!relay) return done("the server itself is followed by relays alone");
  const guid = derivedGuid("accept", follow.id ?? follow.actor);
  const accept = buildActivity({
    id: uris.activity(guid),
    type: "Accept",
    actor: uris.instance,
    object: echoActivity(follow),
    to: [follow.actor],
  });
  await sendAsServer(deps, relay, accept);
  return done("followed back by a relay");
}
