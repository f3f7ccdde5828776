import type { Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { askWhetherGone } from "../authority/fetch-own.ts";
import { isOfServer } from "../authority/origins.ts";
import { findKnown, type Known } from "../records/objects.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";
import { isAcceptedFromActor } from "./takes-back.ts";

/**
 * A Delete from a sender other than its actor, without a proof: its server is asked whether the
 * object is gone. For an actor, or an object that is not public, only a 410 or a Tombstone counts:
 * these answer 404 to us during an outage, or always.
 */
export async function receiveDeleteAsSeen(
  deps: ReceiveNoteDeps,
  activity: Activity,
  applyActivity: (activity: Activity, sender: Person) => Promise<InboundResult>,
): Promise<InboundResult> {
  const { actor, object } = activity;
  const uri = object?.id;
  if (uri === undefined || !isOfServer(uri, actor))
    return done("not the actor's to delete");
  const sender = await deps.people.find({ uri: actor });
  if (!isAcceptedFromActor(sender, activity)) return done("the actor is gone");
  const known = await findKnown(deps, uri);
  const isLeave = (await deps.quotes.listByAuthorization(uri, 1)).length > 0;
  if (!known && !isLeave && uri !== actor)
    return done("delete of something unknown");
  const answer = await askWhetherGone(deps, uri);
  if (answer === "unreachable")
    return { kind: "wait", reason: "Its server does not answer" };
  const isGone =
    answer === "gone" ||
    (answer === "missing" && isLeave) ||
    (answer === "missing" && known && (await isPublic(deps, known)));
  return isGone ? applyActivity(activity, sender) : done("it is still there");
}

async function isPublic(
  { posts }: ReceiveNoteDeps,
  known: Known,
): Promise<boolean> {
  if (known.kind === "post") return known.post.public;
  const post = await posts.find({ id: known.comment.postId });
  return post?.public ?? false;
}
