import {
  readActivity,
  readIntegrityProof,
  type Activity,
} from "@kith/activitypub";
import { KithError } from "../../../lib/errors.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Inbound } from "../../inbound/create-inbound.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { isPublicActivity } from "../records/is-for-everyone.ts";
import { fetchObject } from "../authority/fetch-own.ts";
import { isOfServer } from "../authority/origins.ts";
import { findKnown } from "../records/objects.ts";
import { receiveDeleteAsSeen } from "../inbox/receive-delete-as-seen.ts";
import { isAcceptedFromActor } from "../inbox/takes-back.ts";
import type { ReceiveReactionDeps } from "../inbox/receive-reaction.ts";
import type { Vouched, VerifyDocument } from "../authority/verify-document.ts";

export type ReceiveForwardedDeps = ReceiveReactionDeps & {
  readonly inbound: Pick<Inbound, "hasSeen" | "noteSeen">;
  readonly verifyDocument: VerifyDocument;
};

type ApplyActivity = (
  activity: Activity,
  sender: Person,
) => Promise<InboundResult>;

/** Activities that are idempotent, however late, thanks to their records. */
const REPEATABLE: ReadonlySet<string> = new Set([
  "Announce",
  "Create",
  "Delete",
  "Dislike",
  "EmojiReact",
  "Like",
  "Update",
]);
/** Less than ids are remembered, so that nothing is applied twice. */
const MAX_PROOF_AGE_MS = 14 * 24 * 3_600_000;
const MAX_PROOF_AHEAD_MS = 3_600_000;

/**
 * An activity forwarded by another sender than its actor. It is accepted with
 * the actor's proof (FEP-8b32); without one, the object on its own server
 * counts, and everything else is dropped. An LD signature does not authenticate
 * it.
 */
export async function receiveForwarded(
  deps: ReceiveForwardedDeps,
  activity: Activity,
  applyActivity: ApplyActivity,
): Promise<InboundResult> {
  const { id, actor, type } = activity;
  if (id === undefined || !isOfServer(id, actor))
    return done("passed on without an id of its actor's server");
  // A limited activity is sent by its own server, or is not meant for this one.
  if (!isPublicActivity(activity)) return done("passed on, but not public");
  if (await deps.inbound.hasSeen("activitypub", id))
    return done("it was here before");
  const vouched = await verify(deps, activity);
  if (vouched === undefined)
    return { kind: "wait", reason: "The actor's key cannot be had" };
  const isProved = vouched === "proof";
  if (!isProved || !(REPEATABLE.has(type) || isFresh(deps, activity)))
    return receiveAsFetched(deps, activity, applyActivity);
  const sender = await findActor(deps, activity);
  if (!sender) return done("the actor is gone");
  const result = await applyActivity(activity, sender);
  if (result.kind === "done") await deps.inbound.noteSeen("activitypub", id);
  return result;
}

async function verify(
  { verifyDocument }: ReceiveForwardedDeps,
  activity: Activity,
): Promise<Vouched | undefined> {
  try {
    return await verifyDocument(activity);
  } catch (error) {
    if (error instanceof KithError && error.code === "unavailable")
      return undefined;
    throw error;
  }
}

function isFresh({ clock }: ReceiveForwardedDeps, { raw }: Activity): boolean {
  const { created } = readIntegrityProof(raw) ?? {};
  const ageMs = clock.now().getTime() - Date.parse(created ?? "");
  return ageMs <= MAX_PROOF_AGE_MS && ageMs >= -MAX_PROOF_AHEAD_MS;
}

async function findActor(
  { discoverActor }: ReceiveForwardedDeps,
  activity: Activity,
): Promise<Person | undefined> {
  const person = await discoverActor(activity.actor);
  return isAcceptedFromActor(person, activity) &&
    person.addresses.actorUri === activity.actor
    ? person
    : undefined;
}

async function receiveAsFetched(
  deps: ReceiveForwardedDeps,
  activity: Activity,
  applyActivity: ApplyActivity,
): Promise<InboundResult> {
  switch (activity.type) {
    case "Create":
    case "Update":
    case "Announce": {
      const fetched = await fetchSaid(deps, activity);
      if (!fetched) return done("nobody vouches for it");
      const sender = await findActor(deps, fetched);
      return sender
        ? applyActivity(fetched, sender)
        : done("the actor is not to be found");
    }
    case "Delete":
      return receiveDeleteAsSeen(deps, activity, applyActivity);
    default:
      return done("passed on without a proof of its actor");
  }
}

/** The activity, rebuilt from the object on the actor's own server. */
async function fetchSaid(
  deps: ReceiveForwardedDeps,
  { type, id, actor, object }: Activity,
): Promise<Activity | undefined> {
  const uri = type === "Announce" ? id : object?.id;
  if (uri === undefined || !isOfServer(uri, actor)) return undefined;
  if (type === "Create" && (await findKnown(deps, uri))) return undefined;
  const found = await fetchObject(deps, uri);
  if (!found) return undefined;
  const context = found["@context"] ?? [];
  const said =
    type === "Announce"
      ? found
      : { "@context": context, type, actor, object: found };
  const fetched = readActivity(said);
  return fetched.type === type && fetched.actor === actor ? fetched : undefined;
}
