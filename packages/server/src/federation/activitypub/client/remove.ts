import { KithError } from "../../../lib/errors.ts";
import { findKnown } from "../records/objects.ts";
import { derivedGuid } from "../records/uris.ts";
import { idOfObject, isOwner, type ClientActivity } from "./client-activity.ts";
import type { ClientDeps, Owner } from "./deps.ts";
import { keepOwn } from "./keep-own.ts";

/**
 * Deletes the user's own post, reshare or comment.
 * @throws {KithError} `not_found` for everything else, `not_implemented` for
 *   the account itself
 */
export async function remove(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<string> {
  const { posts, comments, uris } = deps;
  const uri = idOfObject(activity);
  if (isOwner(uris, owner.person, uri))
    throw new KithError(
      "not_implemented",
      "Accounts are not deleted this way.",
    );
  const by = owner.personId;
  const known = await findKnown(deps, uri);
  if (known?.kind === "post" && known.post.personId === by) {
    const { guid, rootGuid } = known.post;
    await posts.deleteOrHide(owner, guid);
    const kind = rootGuid === null ? "delete" : "undo";
    const fact = { type: "post.retracted", guid, by } as const;
    return keepOwn(deps, owner, fact, derivedGuid(kind, guid));
  }
  if (known?.kind === "comment" && known.comment.personId === by) {
    const { guid } = known.comment;
    await comments.remove(owner, guid);
    const about = { guid, authorId: by, by };
    const fact = { type: "comment.retracted", ...about } as const;
    return keepOwn(deps, owner, fact, derivedGuid("delete", guid));
  }
  throw new KithError("not_found", "Nothing of the user's.");
}
