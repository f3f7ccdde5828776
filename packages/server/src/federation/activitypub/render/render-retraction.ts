import {
  buildActivity,
  buildTombstone,
  PUBLIC,
  type JsonObject,
} from "@kith/activitypub";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import type { Outgoing } from "../../outbound/outgoing.ts";
import { derivedGuid } from "../records/uris.ts";
import { renderLikeActivity } from "./build-activities.ts";
import {
  addressOfPost,
  type PostScope,
  type RenderContext,
} from "./note-parts.ts";

type Of<K extends Outgoing["kind"]> = Extract<Outgoing, { kind: K }>;

export function renderUndo(
  { uris }: RenderContext,
  author: Person,
  guid: string,
  object: JsonObject,
  to: readonly string[],
  cc: readonly string[] = [],
): JsonObject {
  const undoGuid = derivedGuid("undo", guid);
  return buildActivity({
    id: uris.activity(undoGuid),
    type: "Undo",
    actor: uris.actor(usernameOf(author)),
    object,
    to: [...to],
    cc: [...cc],
    guid: undoGuid,
  });
}

export function renderLikeRetraction(
  context: RenderContext,
  author: Person,
  outgoing: Of<"like_retraction">,
  readers: readonly string[],
): JsonObject | undefined {
  const { guid, post } = outgoing;
  const like = renderLikeActivity(context.uris, outgoing, author, outgoing);
  const cc = post.public ? [PUBLIC] : [];
  return like && renderUndo(context, author, guid, like, readers, cc);
}

export function renderCommentRetraction(
  context: RenderContext,
  author: Person,
  outgoing: Of<"comment_retraction">,
  readers: readonly string[],
): JsonObject | undefined {
  const { guid, post } = outgoing;
  const isOurs = outgoing.author.userId !== null;
  const uri = isOurs ? context.uris.object(guid) : outgoing.uri;
  // An object received over diaspora* alone is on no other ActivityPub server.
  if (uri === null) return undefined;
  const { listed } = post;
  const addressed = { public: post.public, listed, limitedTo: null };
  const deleted = { guid, uri, addressed };
  return renderDelete(context, author, deleted, readers);
}

export function renderPostRetraction(
  context: RenderContext,
  author: Person,
  outgoing: Of<"post_retraction">,
  readers: readonly string[],
): JsonObject | undefined {
  const { guid, details } = outgoing;
  // Gancio reads the former type.
  const formerType = details.hadEvent ? "Event" : "Note";
  if (details.type !== "reshare")
    return renderDelete(
      context,
      author,
      { guid, formerType, addressed: addressedAs(details) },
      readers,
    );
  const { uris } = context;
  const object = findRootUri(context, outgoing);
  // An object received over diaspora* alone was never announced.
  if (object === null) return undefined;
  const announce = buildActivity({
    id: uris.activity(guid),
    type: "Announce",
    actor: uris.actor(usernameOf(author)),
    object,
    guid,
  });
  return renderUndo(context, author, guid, announce, [PUBLIC]);
}

/** A Delete is addressed as the post was. */
function addressedAs({
  public: isPublic,
  unlisted = false,
  toFollowers = false,
}: Of<"post_retraction">["details"]): PostScope {
  const limitedTo = toFollowers ? "followers" : null;
  return { public: isPublic, listed: !unlisted, limitedTo };
}

/** The root of a retracted reshare; its author may be gone as well. */
function findRootUri(
  { uris }: RenderContext,
  { details, rootAuthor }: Of<"post_retraction">,
): string | null {
  const { rootGuid, rootUri } = details;
  if (rootGuid === null || details.rootPersonId === null) return null;
  return rootAuthor?.userId == null ? (rootUri ?? null) : uris.object(rootGuid);
}

function renderDelete(
  { uris, now }: RenderContext,
  author: Person,
  deleted: {
    guid: string;
    uri?: string;
    addressed: PostScope;
    formerType?: string;
  },
  readers: readonly string[],
): JsonObject {
  const { guid, addressed, formerType = "Note" } = deleted;
  const { uri = uris.object(guid) } = deleted;
  const deleteGuid = derivedGuid("delete", guid);
  return buildActivity({
    id: uris.activity(deleteGuid),
    type: "Delete",
    actor: uris.actor(usernameOf(author)),
    object: buildTombstone({
      id: uri,
      formerType,
      deleted: timestamp(now),
      guid,
    }),
    ...addressOfPost(uris, author, addressed, [], readers),
    guid: deleteGuid,
  });
}
