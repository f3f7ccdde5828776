import {
  buildActivity,
  buildCollectionChange,
  PUBLIC,
  type JsonObject,
} from "@kith/activitypub";
import type { Comment } from "../../../features/comments/index.ts";
import type { Like } from "../../../features/likes/index.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Outgoing, Thread } from "../../outbound/outgoing.ts";
import { publicAddress } from "./note-parts.ts";
import { derivedGuid, type Uris } from "../records/uris.ts";

/** The Create of a local object: it has the object's Guid, author, time and audience. */
export function renderCreate(
  uris: Uris,
  record: { readonly guid: string; readonly createdAt: string },
  author: Person,
  note: JsonObject,
): JsonObject {
  return buildActivity({
    id: uris.activity(record.guid),
    type: "Create",
    actor: uris.actor(usernameOf(author)),
    object: note,
    to: note["to"] as string[],
    cc: note["cc"] as string[],
    published: record.createdAt,
    guid: record.guid,
  });
}

/** The Update of an edited local comment, for the same readers. */
export function renderCommentUpdate(
  uris: Uris,
  { guid, updatedAt }: Pick<Comment, "guid" | "updatedAt">,
  author: Person,
  note: JsonObject,
): JsonObject {
  const update = derivedGuid("update", `${guid}:edit:${updatedAt}`);
  return buildActivity({
    id: uris.activity(update),
    type: "Update",
    actor: uris.actor(usernameOf(author)),
    object: note,
    to: note["to"] as string[],
    cc: note["cc"] as string[],
    guid: update,
  });
}

/** The Announce of a local reshare; undefined where the root has no ActivityPub id. */
export function renderAnnounce(
  uris: Uris,
  reshare: Post,
  author: Person,
  root: { post: Post; author: Person },
): JsonObject | undefined {
  const object = uris.ofPost(root.post, root.author);
  if (object === null) return undefined;
  const rootAuthor = uris.ofPerson(root.author);
  const others = rootAuthor === null ? [] : [rootAuthor];
  return buildActivity({
    id: uris.activity(reshare.guid),
    type: "Announce",
    actor: uris.actor(usernameOf(author)),
    object,
    ...publicAddress(uris, author, others, reshare.listed),
    published: reshare.createdAt,
    guid: reshare.guid,
  });
}

/** A local person's Like or Dislike; undefined where its object has no ActivityPub id. */
export function renderLikeActivity(
  uris: Uris,
  like: Pick<Like, "guid" | "positive">,
  author: Person,
  on: Thread & {
    readonly comment: Comment | null;
    readonly commentAuthor: Person | null;
  },
): JsonObject | undefined {
  const { commentAuthor } = on;
  const object =
    on.comment && commentAuthor
      ? uris.ofComment(on.comment, commentAuthor)
      : uris.ofPost(on.post, on.postAuthor);
  const liked = uris.ofPerson(commentAuthor ?? on.postAuthor);
  if (object === null || liked === null) return undefined;
  return buildActivity({
    id: uris.activity(like.guid),
    type: like.positive ? "Like" : "Dislike",
    actor: uris.actor(usernameOf(author)),
    object,
    to: [liked],
    // Every viewer of a public post sees its likes.
    cc: on.post.public ? [PUBLIC] : [],
    guid: like.guid,
  });
}

/** The Add of a pinned post to the collection in its author's actor document, or its Remove. */
export function renderPin(
  uris: Uris,
  author: Person,
  { post, isPinned, changedAt }: Extract<Outgoing, { kind: "pin" }>,
): JsonObject {
  const username = usernameOf(author);
  const kind = isPinned ? "add" : "remove";
  const guid = derivedGuid(kind, `${post.guid}:${changedAt}`);
  return buildCollectionChange({
    id: uris.activity(guid),
    kind,
    actor: uris.actor(username),
    object: uris.object(post.guid),
    target: uris.featured(username),
    to: [PUBLIC],
    guid,
  });
}

/**
 * The Follow by which a local user shares with a person.
 * @param object actor id of the followed person
 */
export function renderFollow(
  uris: Uris,
  username: string,
  object: string,
  guid: string,
): JsonObject {
  return buildActivity({
    id: uris.activity(guid),
    type: "Follow",
    actor: uris.actor(username),
    object,
    to: [object],
    guid,
  });
}
