import { readActivity, type JsonObject } from "@kith/activitypub";
import type { LikeableKey } from "../../../features/likes/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { findKnown, type Known } from "../records/objects.ts";
import { derivedGuid } from "../records/uris.ts";
import {
  idOfObject,
  isAddressedToPublic,
  type ClientActivity,
} from "./client-activity.ts";
import type { ClientDeps, Owner } from "./deps.ts";
import { findActor, unfollow } from "./follow.ts";
import { keepOwn } from "./keep-own.ts";

/** @throws {KithError} `not_found` for an object that the user may not see */
export async function likeObject(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<string> {
  const known = await getKnown(deps, idOfObject(activity));
  const made = await deps.likes.like(owner, toLikeable(known), true);
  return deps.uris.activity(made.guid);
}

/**
 * @throws {KithError} `not_found`, or `bad_request` for an object that cannot
 *   be reshared
 */
export async function announce(
  deps: ClientDeps,
  owner: Owner,
  activity: ClientActivity,
): Promise<string> {
  const known = await getKnown(deps, idOfObject(activity));
  if (known.kind === "comment") {
    const key = { id: known.comment.id };
    const isVisible = await deps.comments.findVisible(key, owner);
    if (!isVisible) throw new KithError("not_found", "No such object.");
    throw new KithError("bad_request", "A comment cannot be announced.");
  }
  if (activity.addresses.length > 0 && !isAddressedToPublic(activity))
    throw new KithError(
      "bad_request",
      "An Announce must be addressed to the public.",
    );
  const reshare = await deps.posts.reshare(owner, known.post.guid);
  return deps.uris.activity(reshare.guid);
}

async function getKnown(deps: ClientDeps, uri: string): Promise<Known> {
  const known = await findKnown(deps, uri);
  if (!known) throw new KithError("not_found", "No such object.");
  return known;
}

function toLikeable(known: Known): LikeableKey {
  return known.kind === "post"
    ? { post: { id: known.post.id } }
    : { comment: { id: known.comment.id } };
}

/**
 * Undoes a Like, an Announce or a Follow, by its id or a description.
 * @throws {KithError} `not_found` if there is no such activity of the user
 */
export async function undo(
  deps: ClientDeps,
  owner: Owner,
  { object }: ClientActivity,
): Promise<string> {
  const guid =
    object.id === undefined ? undefined : deps.uris.guidOfActivity(object.id);
  if (guid !== undefined) return undoByGuid(deps, owner, guid);
  // A remote id cannot name an activity of this user.
  if (object.id !== undefined || !object.embedded)
    throw new KithError("not_found", "No such activity.");
  return undoDescribed(deps, owner, object.embedded);
}

async function undoByGuid(
  deps: ClientDeps,
  owner: Owner,
  guid: string,
): Promise<string> {
  const made = await deps.likes.find({ guid });
  if (made) return unlike(deps, owner, { guid });
  const post = await deps.posts.findVisible({ guid }, owner);
  if (post?.personId === owner.personId) {
    if (post.rootGuid === null)
      throw new KithError("not_implemented", "A Create is not undone.");
    return unshare(deps, owner, post);
  }
  const contact = await deps.contacts.findByRequest(guid);
  if (contact?.userId === owner.userId && contact.following)
    return unfollow(deps, owner, contact.personId);
  throw new KithError("not_found", "No such activity.");
}

async function undoDescribed(
  deps: ClientDeps,
  owner: Owner,
  embedded: JsonObject,
): Promise<string> {
  const actor = deps.uris.actor(owner.username);
  const inner = readActivity({ ...embedded, actor });
  const uri = inner.object?.id;
  if (uri === undefined)
    throw new KithError(
      "bad_request",
      "An Undo must name the activity that it undoes.",
    );
  switch (inner.type) {
    case "Like":
      return unlike(deps, owner, toLikeable(await getKnown(deps, uri)));
    case "Announce": {
      const known = await getKnown(deps, uri);
      const root = known.kind === "post" ? known.post : undefined;
      const reshare =
        root &&
        (await deps.posts.findReshareOf(
          root.rootGuid ?? root.guid,
          owner.personId,
        ));
      if (!reshare) throw new KithError("not_found", "Not passed on.");
      return unshare(deps, owner, reshare);
    }
    case "Follow": {
      const person = await findActor(deps, uri);
      if (!person) throw new KithError("not_found", "Nobody is followed.");
      return unfollow(deps, owner, person.id);
    }
    default:
      throw new KithError("not_implemented", "An undo of another type.");
  }
}

async function unlike(
  deps: ClientDeps,
  owner: Owner,
  key: Parameters<ClientDeps["likes"]["unlike"]>[1],
): Promise<string> {
  const { guid } = await deps.likes.unlike(owner, key);
  const { personId: by } = owner;
  const fact = { type: "like.retracted", guid, authorId: by, by } as const;
  return keepOwn(deps, owner, fact, derivedGuid("undo", guid));
}

async function unshare(
  deps: ClientDeps,
  owner: Owner,
  { guid }: Post,
): Promise<string> {
  await deps.posts.deleteOrHide(owner, guid);
  const fact = { type: "post.retracted", guid, by: owner.personId } as const;
  return keepOwn(deps, owner, fact, derivedGuid("undo", guid));
}
