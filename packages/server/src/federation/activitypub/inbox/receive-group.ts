import {
  readActivity,
  type Activity,
  type JsonObject,
} from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { learnActor, type LearnActorDeps } from "../actors/learn-actor.ts";
import { fetchObject } from "../authority/fetch-own.ts";
import { isOfServer } from "../authority/origins.ts";
import { receiveDeleteAsSeen } from "./receive-delete-as-seen.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";

/**
 * The member activities that a group forwards, as Lemmy does; anything else that it announces is an
 * object.
 */
const PASSED_ON = new Set([
  "Create",
  "Delete",
  "Dislike",
  "Like",
  "Undo",
  "Update",
]);

/** Applies a member's activity in the member's name. */
export type ExecuteActivity = (
  activity: Activity,
  by: Person,
) => Promise<InboundResult>;

/** Is it an activity rather than an object? */
export function isPassedOn({ type }: JsonObject): boolean {
  return typeof type === "string" && PASSED_ON.has(type);
}

/** The activity inside an Announce, if groups forward its type. */
export function findPassedOn({ object }: Activity): Activity | undefined {
  const embedded = object?.embedded;
  return embedded && isPassedOn(embedded) ? readActivity(embedded) : undefined;
}

/**
 * An Announce of an activity in a group that is followed here (Lemmy). The group's server is
 * trusted about its own people and their objects; any other activity, or its object, is fetched
 * from its own id.
 */
export async function receivePassedOn(
  deps: ReceiveNoteDeps & LearnActorDeps,
  inner: Activity,
  group: Person,
  applyActivity: ExecuteActivity,
): Promise<InboundResult> {
  // That the group follows a local person gives it no right: anyone can follow.
  if (!(await deps.contacts.isFollowedByAnybody(group.id)))
    return done("nobody here follows the group");
  if ((await learnActor(deps, group))?.type !== "Group")
    return done("passed on by what is no group");
  if (deps.uris.isLocal(inner.actor)) return done("known here");
  if (inner.type === "Delete" && !isOfGroup(inner, group))
    return receiveDeleteAsSeen(deps, inner, applyActivity);
  const believed = await findBelieved(deps, inner, group);
  if (!believed) return done("passed on without its author's word");
  const by = await deps.discoverActor(believed.actor);
  if (by?.state !== "active") return done("its actor cannot be found");
  return applyActivity(believed, by);
}

/** The activity as its author's server, or the author, attests it. */
async function findBelieved(
  deps: ReceiveNoteDeps,
  inner: Activity,
  group: Person,
): Promise<Activity | undefined> {
  const { actor, id, object } = inner;
  if (id !== undefined && !isOfServer(id, actor)) return undefined;
  if (isOfGroup(inner, group)) return inner;
  switch (inner.type) {
    // Only its id is used: the object itself is fetched from its own server.
    case "Create":
    case "Update":
      return object?.id === undefined
        ? undefined
        : { ...inner, object: { id: object.id }, objects: [{ id: object.id }] };
    default:
      return fetchActivity(deps, inner);
  }
}

/**
 * Is it about people and objects of the group's own server, which that server decides about? Not
 * about a whole account: a deleted account cannot be restored.
 */
function isOfGroup(
  { type, actor, object }: Activity,
  { addresses }: Person,
): boolean {
  const groupUri = addresses.actorUri ?? "";
  const uri = object?.id;
  if (uri === undefined || (type === "Delete" && uri === actor)) return false;
  return isOfServer(actor, groupUri) && isOfServer(uri, groupUri);
}

async function fetchActivity(
  deps: ReceiveNoteDeps,
  { id, actor, type }: Activity,
): Promise<Activity | undefined> {
  if (id === undefined || deps.uris.isLocal(id)) return undefined;
  const fetched: JsonObject | undefined = await fetchObject(deps, id);
  const activity = fetched && readActivity(fetched);
  return activity?.actor === actor && activity.type === type
    ? activity
    : undefined;
}
