import { readCollectionChange, type Activity } from "@kith/activitypub";
import type { Person } from "../../../features/people/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { learnActor, type LearnActorDeps } from "../actors/learn-actor.ts";
import { findKnown } from "../records/objects.ts";
import type { ReceiveNoteDeps } from "../notes/receive-note.ts";

/**
 * An Add to or Remove from the actor's own collection of pinned posts, by which it pins or unpins a
 * public post of its own (Mastodon; its activity has no id).
 */
export async function receivePin(
  deps: ReceiveNoteDeps & LearnActorDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const { kind, object, target } = readCollectionChange(activity);
  const known = await findKnown(deps, object);
  // An unknown post is not fetched for this: it may be years old.
  if (known?.kind !== "post" || known.post.personId !== sender.id)
    return done("not a post of the actor's");
  const facts = await learnActor(deps, sender);
  if (facts?.featuredUri !== target)
    return done("not the actor's pinned posts");
  await deps.posts.receivePin(known.post.id, kind === "add");
  return done(kind === "add" ? "pinned" : "taken down");
}
