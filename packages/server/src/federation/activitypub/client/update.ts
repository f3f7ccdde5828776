import { readNote, type JsonObject } from "@kith/activitypub";
import type { Comment } from "../../../features/comments/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { readLanguageTag } from "../../../lib/language-tag.ts";
import { findObject } from "../documents/find-document.ts";
import { readWholeText } from "../notes/read-note-text.ts";
import { findKnown } from "../records/objects.ts";
import { derivedGuid } from "../records/uris.ts";
import { idOfObject, isOwner, type ClientActivity } from "./client-activity.ts";
import type { ClientDeps, Owner } from "./deps.ts";
import { changesNothing, findGivenChanges } from "./given-changes.ts";
import { keepOwn } from "./keep-own.ts";
import { updateActor } from "./update-actor.ts";
import { updateEventFromObject } from "./update-event.ts";

/**
 * Changes the user's own actor, post, event or comment.
 * @throws {KithError} `not_found` for everything else, `not_implemented` for members that cannot
 *   be changed here, `bad_request` where nothing is changed
 */
export async function update(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<string> {
  const uri = idOfObject(activity);
  const { embedded = {} } = activity.object;
  if (isOwner(deps.uris, owner.person, uri))
    return updateActor(deps, owner, embedded);
  const known = await findKnown(deps, uri);
  if (known?.kind === "comment" && known.comment.personId === owner.personId)
    return updateComment(deps, owner, known.comment, embedded);
  if (known?.kind === "post" && known.post.personId === owner.personId)
    return known.post.eventId === null
      ? updatePost(deps, owner, known.post, embedded)
      : updateEventFromObject(deps, owner, known.post, embedded);
  throw new KithError("not_found", "Nothing of the user's.");
}

async function updatePost(
  deps: ClientDeps,
  owner: Owner,
  { id, guid }: Post,
  given: JsonObject,
): Promise<string> {
  const words = await readWords(deps, owner, guid, given);
  const { updatedAt } = await deps.posts.edit(owner, { id }, words);
  const by = owner.personId;
  const fact = { type: "post.changed", postId: id, by } as const;
  const version = `${guid}:edit:${updatedAt}`;
  return keepOwn(deps, owner, fact, derivedGuid("update", version));
}

async function updateComment(
  deps: ClientDeps,
  owner: Owner,
  { id, guid }: Comment,
  given: JsonObject,
): Promise<string> {
  const words = await readWords(deps, owner, guid, given);
  const { updatedAt } = await deps.comments.edit(owner, { id }, words);
  const by = owner.personId;
  const fact = { type: "comment.changed", commentId: id, by } as const;
  const version = `${guid}:edit:${updatedAt}`;
  return keepOwn(deps, owner, fact, derivedGuid("update", version));
}

/** The new text of a post or a comment. Where its Markdown is as it was, the HTML counts. */
async function readWords(
  deps: ClientDeps,
  owner: Owner,
  guid: string,
  given: JsonObject,
): Promise<{ readonly text: string; readonly language?: string }> {
  const current = await findObject(deps, guid, owner);
  if (!current) throw new KithError("not_found", "Not to be changed.");
  const changes = findGivenChanges(given, current);
  changes.refuse("attachment", "summary", "sensitive", "inReplyTo", "quote");
  changes.refuse("oneOf", "anyOf", "endTime");
  if (!changes.has("content", "contentMap", "source")) throw changesNothing();
  const { source, ...others } = given;
  const actor = deps.uris.actor(owner.username);
  const note = readNote({
    ...others,
    ...(changes.has("source") && { source: source ?? null }),
    ...{ type: "Note", id: actor, attributedTo: actor },
  });
  // The quote is shown beside the text.
  const { quote: _, ...written } = note;
  const language = readLanguageTag(note.language);
  return {
    text: readWholeText(written),
    ...(language !== undefined && { language }),
  };
}
