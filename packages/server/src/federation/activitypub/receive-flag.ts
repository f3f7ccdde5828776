import { readFlag, type Activity } from "@kith/activitypub";
import type { PersonId } from "../../features/ids.ts";
import type { Moderation } from "../../features/moderation/index.ts";
import type { Person } from "../../features/people/index.ts";
import { storableText } from "../../lib/well-formed.ts";
import { done, type InboundResult } from "../inbound/inbound.ts";
import { findLocal, type FindLocalDeps } from "./find-local.ts";
import { findKnown, type ObjectsDeps } from "./objects.ts";
import { derivedGuid } from "./uris.ts";

export type ReceiveFlagDeps = ObjectsDeps &
  FindLocalDeps & { readonly moderation: Moderation };

const MAX_OBJECTS = 50;

/**
 * A Flag: a report to the moderators about people and posts here. Nobody else is
 * told, those whom it is about least of all, and what somebody may not see is not
 * looked up for it.
 */
export async function receiveFlag(
  deps: ReceiveFlagDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const { objects, comment } = readFlag(activity);
  const ours = objects
    .filter((uri) => deps.uris.isLocal(uri))
    .slice(0, MAX_OBJECTS);
  if (ours.length === 0) return done("a report of nothing here");
  const personId = await findReported(deps, ours);
  if (personId === null) return done("a report of something unknown");
  const isTaken = await deps.moderation.receiveReport({
    guid: derivedGuid("report", activity.id ?? JSON.stringify(activity.raw)),
    host: new URL(sender.addresses.actorUri ?? activity.actor).host,
    personId,
    objects: ours,
    text: storableText(comment),
  });
  return done(isTaken ? "report" : "too many reports");
}

/** The first of the people here, or the author of the first post: Mastodon names the person first, Lemmy the post alone. */
async function findReported(
  deps: ReceiveFlagDeps,
  uris: readonly string[],
): Promise<PersonId | null> {
  for (const uri of uris) {
    const person = await findLocal(deps, uri);
    if (person) return person.id;
  }
  for (const uri of uris) {
    const known = await findKnown(deps, uri);
    if (known)
      return known.kind === "post"
        ? known.post.personId
        : known.comment.personId;
  }
  return null;
}
