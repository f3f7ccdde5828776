import {
  readActivity,
  type Activity,
  type JsonObject,
} from "@kith/activitypub";
import type { Person } from "../../features/people/index.ts";
import { done, type InboundResult } from "../inbound/inbound.ts";
import { learnActor, type LearnActorDeps } from "./learn-actor.ts";
import { askWhetherGone, fetchObject } from "./authority/fetch-own.ts";
import { isOfServer } from "./authority/origins.ts";
import type { ReceiveNoteDeps } from "./receive-note.ts";

/** What a group passes on of its members, as Lemmy does it; whatever else it announces is a thing and no act. */
const PASSED_ON = new Set([
  "Create",
  "Delete",
  "Dislike",
  "Like",
  "Undo",
  "Update",
]);

/** Carries out what a member did, in its own name. */
export type CarryOutActivity = (
  activity: Activity,
  by: Person,
) => Promise<InboundResult>;

/** Is it something that was done, and no thing? */
export function isPassedOn({ type }: JsonObject): boolean {
  return typeof type === "string" && PASSED_ON.has(type);
}

/** The activity that an Announce has inside, where it is one that groups pass on. */
export function findPassedOn({ object }: Activity): Activity | undefined {
  const embedded = object?.embedded;
  return embedded && isPassedOn(embedded) ? readActivity(embedded) : undefined;
}

/**
 * An Announce of what somebody did in a group that is followed here (Lemmy). The
 * group's server speaks for its own people and their things; of anybody else's the
 * activity, or what it is about, is asked for at its own id.
 */
export async function receivePassedOn(
  deps: ReceiveNoteDeps & LearnActorDeps,
  inner: Activity,
  group: Person,
  carryOut: CarryOutActivity,
): Promise<InboundResult> {
  if (!(await deps.contacts.isRelatedToAnybody(group.id)))
    return done("nobody here follows the group");
  if ((await learnActor(deps, group))?.type !== "Group")
    return done("passed on by what is no group");
  const believed = await findBelieved(deps, inner, group);
  if (!believed) return done("passed on without its author's word");
  if (deps.uris.isLocal(believed.actor)) return done("known here");
  const by = await deps.discoverActor(believed.actor);
  if (by?.state !== "active") return done("its actor cannot be found");
  return carryOut(believed, by);
}

/** The activity as its author's server, or the author, vouches for it. */
async function findBelieved(
  deps: ReceiveNoteDeps,
  inner: Activity,
  { addresses }: Person,
): Promise<Activity | undefined> {
  const groupUri = addresses.actorUri ?? "";
  const { actor, id, object } = inner;
  const isOfHost = (uri: string | undefined) =>
    uri !== undefined && isOfServer(uri, groupUri);
  if (id !== undefined && !isOfServer(id, actor)) return undefined;
  if (isOfHost(actor) && isOfHost(object?.id)) return inner;
  switch (inner.type) {
    // Its id alone is taken over: the thing itself is fetched where it lives.
    case "Create":
    case "Update":
      return object?.id === undefined
        ? undefined
        : { ...inner, object: { id: object.id }, objects: [{ id: object.id }] };
    case "Delete":
      return (await isGone(deps, inner)) ? inner : undefined;
    default:
      return fetchActivity(deps, inner);
  }
}

/** What is deleted answers no longer, or as a Tombstone. */
async function isGone(
  { fetchDocument, uris }: ReceiveNoteDeps,
  { actor, object }: Activity,
): Promise<boolean> {
  const uri = object?.id;
  if (uri === undefined || uris.isLocal(uri) || !isOfServer(uri, actor))
    return false;
  const answer = await askWhetherGone({ fetchDocument }, uri);
  return answer === "gone" || answer === "missing";
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
