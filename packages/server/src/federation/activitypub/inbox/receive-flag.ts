import { readFlag, type Activity } from "@kith/activitypub";
import type { PersonId } from "../../../features/ids.ts";
import type { Moderation } from "../../../features/moderation/index.ts";
import type { Person } from "../../../features/people/index.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { listLocal, type FindLocalDeps } from "../records/find-local.ts";
import { findKnown, type ObjectsDeps } from "../records/objects.ts";
import { derivedGuid } from "../records/uris.ts";

export type ReceiveFlagDeps = ObjectsDeps &
  FindLocalDeps & { readonly moderation: Moderation };

const MAX_OBJECTS = 50;
/** Longer than any address of ours. */
const MAX_URI_LENGTH = 2_000;

/**
 * A Flag: a report to the moderators about local people and posts. No one else is notified, least
 * of all the reported people, and objects that the sender may not see are not looked up for it.
 */
export async function receiveFlag(
  deps: ReceiveFlagDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const { objects, comment } = readFlag(activity);
  const ours = objects
    .filter((uri) => uri.length <= MAX_URI_LENGTH && deps.uris.isLocal(uri))
    .slice(0, MAX_OBJECTS);
  if (ours.length === 0) return done("a report of nothing here");
  const found = await findThings(deps, ours);
  const personId = (await findPerson(deps, ours)) ?? found[0]?.personId ?? null;
  if (personId === null) return done("a report of something unknown");
  const isTaken = await deps.moderation.receiveReport({
    ...(found.find(
      (thing) => thing.evidence !== null && thing.personId === personId,
    ) ?? PERSON_ALONE),
    guid: derivedGuid("report", activity.id ?? JSON.stringify(activity.raw)),
    host: new URL(sender.addresses.actorUri ?? activity.actor).host,
    personId,
    objects: ours,
    text: storableText(comment),
  });
  return done(isTaken ? "report" : "too many reports");
}

const PERSON_ALONE = {
  targetKind: "person",
  targetGuid: null,
  evidence: null,
} as const;

/** The first local person: Mastodon names the person first, Lemmy the post alone. */
async function findPerson(
  deps: ReceiveFlagDeps,
  uris: readonly string[],
): Promise<PersonId | undefined> {
  const [first] = await listLocal(deps, uris);
  return first?.id;
}

/** The posts and comments that are named; with their texts where those are public. */
async function findThings(deps: ReceiveFlagDeps, uris: readonly string[]) {
  const things = [];
  for (const uri of uris) {
    const known = await findKnown(deps, uri);
    if (!known) continue;
    const { kind } = known;
    const thing = kind === "post" ? known.post : known.comment;
    const isPublic =
      kind === "post"
        ? known.post.public
        : (await deps.posts.find({ id: known.comment.postId }))?.public ===
          true;
    things.push({
      personId: thing.personId,
      targetKind: kind,
      targetGuid: thing.guid,
      evidence: isPublic ? thing.text : null,
    });
  }
  return things;
}
