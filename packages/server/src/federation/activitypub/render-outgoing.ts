import {
  buildActivity,
  buildTombstone,
  PUBLIC,
  type JsonObject,
} from "@kith/activitypub";
import { usernameOf, type Person } from "../../features/people/index.ts";
import { timestamp, type Clock } from "../../lib/clock.ts";
import type { Outgoing } from "../outgoing.ts";
import {
  renderAnnounce,
  renderCreate,
  renderFollow,
  renderLike,
} from "./build-activities.ts";
import {
  publicAddress,
  renderActor,
  renderComment,
  renderPost,
  type RenderDeps,
} from "./render-objects.ts";
import { derivedGuid } from "./uris.ts";

export type RenderOutgoingDeps = RenderDeps & { readonly clock: Clock };

/**
 * The activity that tells a thing.
 * @param readers actor ids that it is addressed to, where it is not for everyone
 * @returns undefined where ActivityPub has no name for what it is about
 */
export async function renderOutgoing(
  deps: RenderOutgoingDeps,
  outgoing: Outgoing,
  author: Person,
  readers: string[],
): Promise<JsonObject | undefined> {
  const { uris } = deps;
  switch (outgoing.kind) {
    case "post": {
      const { post, root } = outgoing;
      if (post.rootGuid !== null)
        return root ? renderAnnounce(uris, post, author, root) : undefined;
      const note = await renderPost(deps, post, author, readers);
      return renderCreate(uris, post, author, note);
    }
    case "comment": {
      const { comment } = outgoing;
      const note = await renderComment(
        deps,
        comment,
        author,
        outgoing,
        readers,
      );
      return note && renderCreate(uris, comment, author, note);
    }
    case "like": {
      const liked = await findCommentAuthor(deps, outgoing);
      return renderLike(uris, outgoing.like, author, outgoing, liked);
    }
    case "vote":
      return undefined;
    case "like_retraction": {
      const liked = await findCommentAuthor(deps, outgoing);
      const like = renderLike(uris, outgoing, author, outgoing, liked);
      return like && renderUndo(deps, author, outgoing.guid, like, readers);
    }
    case "comment_retraction": {
      const { guid, post } = outgoing;
      return renderDelete(deps, author, guid, post.public, readers);
    }
    case "post_retraction":
      return renderPostRetraction(deps, author, outgoing, readers);
    case "event_answer":
    case "photo_retraction":
      return undefined;
    case "contact":
      return renderContact(deps, author, outgoing, readers);
    case "profile":
      return renderProfileUpdate(deps, author);
    case "block":
      return renderBlock(deps, author, outgoing, readers);
    case "departure":
      return renderDeparture(deps, author);
  }
}

async function findCommentAuthor(
  { people }: RenderOutgoingDeps,
  { comment }: Extract<Outgoing, { kind: "like" | "like_retraction" }>,
): Promise<Person | undefined> {
  return comment ? people.find({ id: comment.personId }) : undefined;
}

function renderUndo(
  { uris }: RenderOutgoingDeps,
  author: Person,
  guid: string,
  object: JsonObject,
  to: string[],
): JsonObject {
  const undoGuid = derivedGuid("undo", guid);
  return buildActivity({
    id: uris.activity(undoGuid),
    type: "Undo",
    actor: uris.actor(usernameOf(author)),
    object,
    to,
    guid: undoGuid,
  });
}

function renderDelete(
  { uris, clock }: RenderOutgoingDeps,
  author: Person,
  guid: string,
  isPublic: boolean,
  readers: string[],
): JsonObject {
  const deleteGuid = derivedGuid("delete", guid);
  return buildActivity({
    id: uris.activity(deleteGuid),
    type: "Delete",
    actor: uris.actor(usernameOf(author)),
    object: buildTombstone({
      id: uris.object(guid),
      formerType: "Note",
      deleted: timestamp(clock.now()),
      guid,
    }),
    ...(isPublic ? publicAddress(uris, author, []) : { to: readers, cc: [] }),
    guid: deleteGuid,
  });
}

function renderPostRetraction(
  deps: RenderOutgoingDeps,
  author: Person,
  { guid, details }: Extract<Outgoing, { kind: "post_retraction" }>,
  readers: string[],
): JsonObject {
  if (details.type !== "Reshare")
    return renderDelete(deps, author, guid, details.public, readers);
  const { uris } = deps;
  const announce = buildActivity({
    id: uris.activity(guid),
    type: "Announce",
    actor: uris.actor(usernameOf(author)),
    object: uris.object(details.rootGuid ?? guid),
    guid,
  });
  return renderUndo(deps, author, guid, announce, [PUBLIC]);
}

function renderContact(
  deps: RenderOutgoingDeps,
  author: Person,
  { recipient, following, followGuid }: Extract<Outgoing, { kind: "contact" }>,
  readers: string[],
): JsonObject | undefined {
  const { uris } = deps;
  const object = uris.ofPerson(recipient);
  if (object === null) return undefined;
  const follow = renderFollow(uris, usernameOf(author), object, followGuid);
  return following
    ? follow
    : renderUndo(deps, author, followGuid, follow, readers);
}

/** The other server is told, so that it can keep the blocked person away from the blocker. */
function renderBlock(
  deps: RenderOutgoingDeps,
  author: Person,
  { recipient, blocking, since }: Extract<Outgoing, { kind: "block" }>,
  readers: string[],
): JsonObject | undefined {
  const { uris } = deps;
  const object = uris.ofPerson(recipient);
  if (object === null) return undefined;
  const guid = derivedGuid(
    "block",
    `${author.guid}:${recipient.guid}:${since}`,
  );
  const block = buildActivity({
    id: uris.activity(guid),
    type: "Block",
    actor: uris.actor(usernameOf(author)),
    object,
    to: [object],
    guid,
  });
  return blocking ? block : renderUndo(deps, author, guid, block, readers);
}

function renderDeparture(
  { uris }: RenderOutgoingDeps,
  author: Person,
): JsonObject {
  const guid = derivedGuid("delete", author.guid);
  const actor = uris.actor(usernameOf(author));
  return buildActivity({
    id: uris.activity(guid),
    type: "Delete",
    actor,
    object: actor,
    to: [PUBLIC],
    guid,
  });
}

async function renderProfileUpdate(
  deps: RenderOutgoingDeps,
  author: Person,
): Promise<JsonObject> {
  const { uris } = deps;
  const guid = derivedGuid(
    "update",
    `${author.guid}:${author.profile.updatedAt}`,
  );
  return buildActivity({
    id: uris.activity(guid),
    type: "Update",
    actor: uris.actor(usernameOf(author)),
    object: await renderActor(deps, author),
    ...publicAddress(uris, author, []),
    guid,
  });
}
