import {
  buildActivity,
  buildTombstone,
  isJsonArray,
  PUBLIC,
  type JsonObject,
} from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { MAX_PHOTOS } from "../../../features/photos/index.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import type { Outgoing } from "../../outbound/outgoing.ts";
import {
  renderAnnounce,
  renderCreate,
  renderFollow,
  renderLike,
} from "./build-activities.ts";
import { renderEventAnswer, renderVote } from "./render-answers.ts";
import {
  publicAddress,
  renderActor,
  renderComment,
  renderPost,
  type RenderDeps,
} from "./render-objects.ts";
import { threadUpdateGuid } from "../threads/announce-thread.ts";
import { derivedGuid } from "../records/uris.ts";

export type RenderOutgoingDeps = RenderDeps & {
  readonly db: Db;
  readonly clock: Clock;
};

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
      return renderVote(deps, author, outgoing);
    case "event_change":
    case "photo_retraction":
    case "poll_change":
    case "quote_change":
    case "thread_change":
      return renderPostUpdate(deps, author, outgoing, readers);
    case "vote_retraction":
      return undefined;
    case "like_retraction": {
      const liked = await findCommentAuthor(deps, outgoing);
      const like = renderLike(uris, outgoing, author, outgoing, liked);
      return (
        like &&
        renderUndo(deps, author, outgoing.guid, like, readers, [
          ...(outgoing.post.public ? [PUBLIC] : []),
        ])
      );
    }
    case "comment_retraction": {
      const { guid, post } = outgoing;
      const isPublic = post.public;
      const isOurs = outgoing.author.userId !== null;
      const uri = isOurs ? uris.object(guid) : outgoing.uri;
      // What came over diaspora* alone nobody else has.
      if (uri === null) return undefined;
      return renderDelete(deps, author, { guid, uri, isPublic }, readers);
    }
    case "post_retraction":
      return renderPostRetraction(deps, author, outgoing, readers);
    case "event_answer":
      return renderEventAnswer(deps, author, outgoing);
    case "contact":
      return renderContact(deps, author, outgoing, readers);
    case "profile":
      return renderProfileUpdate(deps, author);
    case "block":
      return renderBlock(deps, author, outgoing, readers);
    case "departure":
      return renderDeparture(deps, author);
    case "move":
      return renderMove(deps, outgoing);
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
  cc: string[] = [],
): JsonObject {
  const undoGuid = derivedGuid("undo", guid);
  return buildActivity({
    id: uris.activity(undoGuid),
    type: "Undo",
    actor: uris.actor(usernameOf(author)),
    object,
    to,
    cc,
    guid: undoGuid,
  });
}

function renderDelete(
  { uris, clock }: RenderOutgoingDeps,
  author: Person,
  deleted: {
    guid: string;
    uri?: string;
    isPublic: boolean;
    formerType?: string;
  },
  readers: string[],
): JsonObject {
  const { guid, isPublic, formerType = "Note" } = deleted;
  const { uri = uris.object(guid) } = deleted;
  const deleteGuid = derivedGuid("delete", guid);
  return buildActivity({
    id: uris.activity(deleteGuid),
    type: "Delete",
    actor: uris.actor(usernameOf(author)),
    object: buildTombstone({
      id: uri,
      formerType,
      deleted: timestamp(clock.now()),
      guid,
    }),
    ...(isPublic ? publicAddress(uris, author, []) : { to: readers, cc: [] }),
    guid: deleteGuid,
  });
}

async function renderPostRetraction(
  deps: RenderOutgoingDeps,
  author: Person,
  { guid, details }: Extract<Outgoing, { kind: "post_retraction" }>,
  readers: string[],
): Promise<JsonObject | undefined> {
  const isPublic = details.public;
  // Gancio looks at the former type.
  const formerType = details.hadEvent ? "Event" : "Note";
  if (details.type !== "Reshare")
    return renderDelete(deps, author, { guid, isPublic, formerType }, readers);
  const { uris } = deps;
  const object = await findRootUri(deps, details);
  // What came over diaspora* alone was announced to nobody.
  if (object === null) return undefined;
  const announce = buildActivity({
    id: uris.activity(guid),
    type: "Announce",
    actor: uris.actor(usernameOf(author)),
    object,
    guid,
  });
  return renderUndo(deps, author, guid, announce, [PUBLIC]);
}

/** What a reshare passed on that is taken back; the author of it may be gone as well. */
async function findRootUri(
  { people, uris }: RenderOutgoingDeps,
  {
    rootGuid,
    rootPersonId,
    rootUri,
  }: Extract<Outgoing, { kind: "post_retraction" }>["details"],
): Promise<string | null> {
  if (rootGuid === null || rootPersonId === null) return null;
  const author = await people.find({ id: rootPersonId });
  return author?.userId == null ? (rootUri ?? null) : uris.object(rootGuid);
}

type PostChange = Extract<
  Outgoing,
  {
    kind:
      | "event_change"
      | "photo_retraction"
      | "poll_change"
      | "quote_change"
      | "thread_change";
  }
>;

/**
 * The post anew, for those who have it. That an event was changed, its own time
 * says; that a picture is gone, the time of telling; new counts of a poll, the leave for
 * what is quoted, and what was said below, are no edit, and so they bring no time.
 */
async function renderPostUpdate(
  deps: RenderOutgoingDeps,
  author: Person,
  outgoing: PostChange,
  readers: string[],
): Promise<JsonObject | undefined> {
  const { uris, clock } = deps;
  const { kind, post } = outgoing;
  const now = clock.now();
  const rendered = await renderPost(deps, post, author, readers);
  // An event with a poll has the counts of nobody.
  if (kind === "poll_change" && rendered["type"] !== "Question")
    return undefined;
  const object: JsonObject =
    kind === "photo_retraction"
      ? { ...rendered, updated: afterPhoto(rendered, now) }
      : rendered;
  const guid = updateGuid(outgoing, now);
  return buildActivity({
    id: uris.activity(guid),
    type: "Update",
    actor: uris.actor(usernameOf(author)),
    object,
    to: object["to"] as string[],
    cc: object["cc"] as string[],
    guid,
  });
}

/** Peers take what is later alone, by whole seconds: the fewer pictures are left, the later it is. */
function afterPhoto({ attachment }: JsonObject, now: Date): string {
  const left = isJsonArray(attachment) ? attachment.length : 0;
  const second = Math.ceil(now.getTime() / 1000) + MAX_PHOTOS - left;
  return timestamp(new Date(second * 1000)).replace(/\.\d+Z$/, "Z");
}

function updateGuid(outgoing: PostChange, now: Date): string {
  const { guid } = outgoing.post;
  switch (outgoing.kind) {
    case "event_change":
      return derivedGuid("update", `${guid}:${outgoing.event.updatedAt}`);
    case "photo_retraction":
      return derivedGuid("update", `${guid}:without:${outgoing.guid}`);
    case "poll_change":
      return derivedGuid("update", `${guid}:tally:${timestamp(now)}`);
    case "quote_change":
      return derivedGuid("update", `${guid}:quote:${outgoing.changedAt}`);
    case "thread_change":
      return threadUpdateGuid(outgoing.post, now);
  }
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

/** Without an alias of the new actor nobody would believe it. */
function renderMove(
  { uris }: RenderOutgoingDeps,
  { by, from, to, isAlias }: Extract<Outgoing, { kind: "move" }>,
): JsonObject | undefined {
  const target = uris.ofPerson(to);
  if (!isAlias || by.id !== from.id || target === null) return undefined;
  const guid = derivedGuid("move", `${from.guid}:${to.guid}`);
  const actor = uris.actor(usernameOf(from));
  return buildActivity({
    id: uris.activity(guid),
    type: "Move",
    actor,
    object: actor,
    target,
    to: [`${actor}/followers`],
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
