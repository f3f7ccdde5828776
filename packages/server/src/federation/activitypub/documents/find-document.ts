import { isJsonObject, parseJson, type JsonObject } from "@kith/activitypub";
import type { Viewer } from "../../../features/visibility/index.ts";
import type { Db } from "../../../db/db.ts";
import type { Comment, Comments } from "../../../features/comments/index.ts";
import type { Contacts } from "../../../features/contacts/index.ts";
import type { Likes } from "../../../features/likes/index.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import {
  findLikedComment,
  listParticipants,
} from "../../outbound/load/find-thread.ts";
import { loadComment } from "../../outbound/load/load-comment.ts";
import { findSentActivity } from "../records/sent-activity-store.ts";
import {
  renderCreate,
  renderFollow,
  renderLikeActivity,
} from "../render/build-activities.ts";
import { isForFollowers } from "../render/note-parts.ts";
import { renderCommentObject } from "../render/render-comment.ts";
import {
  contextOf,
  listReaders,
  showPost,
  showPostActivity,
  type ShowPostDeps,
} from "./show-post.ts";

export type FindDocumentDeps = ShowPostDeps & {
  readonly db: Db;
  readonly likes: Likes;
  readonly contacts: Contacts;
  readonly comments: Comments;
};

/** A local post or comment, by its guid, as far as the viewer may see it. */
export async function findObject(
  deps: FindDocumentDeps,
  guid: string,
  viewer: Viewer,
): Promise<JsonObject | undefined> {
  const post = await deps.posts.findVisible({ guid }, viewer);
  const postAuthor = post && (await findLocal(deps, post));
  if (post && postAuthor && post.rootGuid === null)
    return showPost(deps, post, postAuthor, viewer);
  const comment = await deps.comments.findVisible({ guid }, viewer);
  const found = comment && (await renderVisibleComment(deps, comment, viewer));
  return found?.note ?? findSentObject(deps, guid, viewer);
}

/**
 * An object that exists only within an activity, such as a vote or a quote
 * authorization.
 */
async function findSentObject(
  deps: FindDocumentDeps,
  guid: string,
  viewer: Viewer,
): Promise<JsonObject | undefined> {
  const sent = await findSent(deps, guid, viewer, true);
  if (sent) return (await isStillThere(deps, sent, viewer)) ? sent : undefined;
  const object = (await findSent(deps, guid, viewer))?.["object"];
  return isJsonObject(object) && object["id"] === deps.uris.object(guid)
    ? object
    : undefined;
}

/** A quote authorization ends with the quoted object. */
async function isStillThere(
  { posts, comments, uris }: FindDocumentDeps,
  { interactionTarget }: JsonObject,
  viewer: Viewer,
): Promise<boolean> {
  const guid =
    typeof interactionTarget === "string"
      ? uris.guidOfObject(interactionTarget)
      : undefined;
  if (guid === undefined) return false;
  const found =
    (await posts.findVisible({ guid }, viewer)) ??
    (await comments.findVisible({ guid }, viewer));
  return found !== undefined;
}

type LocalComment = { readonly author: Person; readonly note: JsonObject };

async function renderVisibleComment(
  deps: FindDocumentDeps,
  comment: Comment,
  viewer: Viewer,
): Promise<LocalComment | undefined> {
  const author = await findLocal(deps, comment);
  const post = await deps.posts.findVisible({ id: comment.postId }, viewer);
  const postAuthor = post && (await deps.people.find({ id: post.personId }));
  if (!author || !post || !postAuthor) return undefined;
  const [content, readers, participants] = await Promise.all([
    loadComment(deps, comment, { post, by: author }),
    listReaders(deps, post, viewer),
    listParticipants(deps, post),
  ]);
  const loaded = {
    ...{ by: author, comment, post, postAuthor, ...content },
    ...(participants && { participants }),
  };
  const starter = participants ? deps.uris.ofPerson(postAuthor) : null;
  const all = starter === null ? readers : [starter, ...readers];
  const own = deps.uris.ofPerson(author);
  const note = renderCommentObject(
    contextOf(deps),
    loaded,
    all.filter((uri) => uri !== own),
    // A viewer who signed the request is on another server.
    viewer?.userId !== null,
  );
  return note && { author, note };
}

/** A local activity, by its guid, as far as the viewer may see it. */
export async function findActivity(
  deps: FindDocumentDeps,
  guid: string,
  viewer: Viewer,
): Promise<JsonObject | undefined> {
  const post = await deps.posts.findVisible({ guid }, viewer);
  const postAuthor = post && (await findLocal(deps, post));
  if (post && postAuthor)
    return showPostActivity(deps, post, postAuthor, viewer);
  const comment = await deps.comments.findVisible({ guid }, viewer);
  if (comment) {
    const found = await renderVisibleComment(deps, comment, viewer);
    return found && renderCreate(deps.uris, comment, found.author, found.note);
  }
  return (
    (await findLikeActivity(deps, guid, viewer)) ??
    (await findSent(deps, guid, viewer)) ??
    (await findFollow(deps, guid, viewer))
  );
}

async function findLikeActivity(
  deps: FindDocumentDeps,
  guid: string,
  viewer: Viewer,
): Promise<JsonObject | undefined> {
  const like = await deps.likes.find({ guid });
  const author = like && (await findLocal(deps, like));
  const post =
    like && (await deps.posts.findVisible({ id: like.postId }, viewer));
  const postAuthor = post && (await deps.people.find({ id: post.personId }));
  if (!like || !author || !post || !postAuthor) return undefined;
  const liked = await findLikedComment(deps, like.commentId);
  return renderLikeActivity(deps.uris, like, author, {
    post,
    postAuthor,
    ...liked,
  });
}

/** Follow, Accept, Undo and Delete: visible to their author and recipients. */
async function findSent(
  deps: FindDocumentDeps,
  guid: string,
  viewer: Viewer,
  isObject = false,
): Promise<JsonObject | undefined> {
  const sent = await findSentActivity(deps.db.read, guid);
  if (sent?.isObject !== isObject) return undefined;
  const author = await deps.people.find({ id: sent.personId });
  if (author?.state === "shut_out") return undefined;
  const document = parseJson(Buffer.from(sent.document));
  if (sent.public || viewer?.personId === sent.personId) return document;
  const reader = viewer && (await deps.people.find({ id: viewer.personId }));
  const uri = reader ? deps.uris.ofPerson(reader) : null;
  // A recipient of a limited document sees no other recipients.
  if (uri === null || !sent.addressees.includes(uri)) return undefined;
  return isForFollowers(document)
    ? document
    : { ...document, ...shownTo(uri, document), to: [uri] };
}

/** The post in an Update lists its recipients, as the Update does. */
function shownTo(uri: string, { object }: JsonObject): JsonObject {
  const isPost = isJsonObject(object) && "attributedTo" in object;
  return isPost ? { object: { ...object, to: [uri], cc: [] } } : {};
}

/** The author of a record, if local. */
async function findLocal(
  { people }: FindDocumentDeps,
  { personId }: Pick<Post, "personId">,
): Promise<Person | undefined> {
  const person = await people.find({ id: personId });
  return person?.userId != null && person.state === "active"
    ? person
    : undefined;
}

/**
 * The Follow of an existing contact: between local people none is sent, and a
 * new one may not be sent yet.
 */
async function findFollow(
  { contacts, people, uris }: FindDocumentDeps,
  guid: string,
  viewer: Viewer,
): Promise<JsonObject | undefined> {
  const contact = await contacts.findByRequest(guid);
  if (!contact?.following || !viewer) return undefined;
  const { userId, personId } = contact;
  const isParty = viewer.userId === userId || viewer.personId === personId;
  const by = isParty ? await people.find({ userId }) : undefined;
  if (by?.state === "shut_out") return undefined;
  const followed = by && (await people.find({ id: personId }));
  const object = followed ? uris.ofPerson(followed) : null;
  if (!by || object === null) return undefined;
  return renderFollow(uris, usernameOf(by), object, guid);
}
