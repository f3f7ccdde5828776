import {
  acceptsActivityPub,
  parseJson,
  type JsonObject,
} from "@kith/activitypub";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "../../db/db.ts";
import type { Comment } from "../../features/comments/index.ts";
import type { Likes } from "../../features/likes/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post, Viewer } from "../../features/posts/index.ts";
import { KithError } from "../../lib/errors.ts";
import { sendDocument, type ActorRoutesDeps } from "./actor-routes.ts";
import { listReaders, renderActivityOf } from "./render-activity.ts";
import {
  renderActor,
  renderComment,
  renderCreate,
  renderLike,
  renderPost,
} from "./render-objects.ts";
import { findSentActivity } from "./sent-activity-store.ts";
import { findViewer, type ViewerDeps } from "./viewer.ts";

export type ObjectRoutesDeps = ActorRoutesDeps &
  ViewerDeps & { readonly db: Db; readonly likes: Likes };

/** Serves objects and activities of ours by their ids, to those who may see them. */
export function registerObjects(
  app: FastifyInstance,
  deps: ObjectRoutesDeps,
): void {
  const viewerOnly = { config: { access: "viewer" } } as const;
  const serve =
    (
      find: (
        deps: ObjectRoutesDeps,
        guid: string,
        viewer: Viewer,
      ) => Promise<JsonObject | undefined>,
    ) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { guid } = request.params as { guid: string };
      const viewer = await findViewer(deps, request);
      const document = await find(deps, guid, viewer);
      if (!document) throw new KithError("not_found", "No such object");
      return sendDocument(reply, document);
    };
  app.get("/api/v1/ap/object/:guid", viewerOnly, serve(findObject));
  app.get("/api/v1/ap/activity/:guid", viewerOnly, serve(findActivity));
}

/** Answers the pages' addresses with the object itself, where a client asks for it. */
export function createPageNegotiation(deps: ObjectRoutesDeps) {
  const wants = (request: FastifyRequest) =>
    acceptsActivityPub(request.headers.accept);
  return {
    sendPost: async (
      request: FastifyRequest,
      reply: FastifyReply,
      guid: string,
    ): Promise<boolean> => {
      if (!wants(request)) return false;
      const viewer = await findViewer(deps, request);
      const document = await findObject(deps, guid, viewer);
      if (!document) throw new KithError("not_found", "No such object");
      sendDocument(reply, document);
      return true;
    },
    sendPerson: async (
      request: FastifyRequest,
      reply: FastifyReply,
      guid: string,
    ): Promise<boolean> => {
      if (!wants(request)) return false;
      const person = await deps.people.find({ guid });
      if (person?.userId == null || person.state !== "active")
        throw new KithError("not_found", "No such person");
      sendDocument(reply, await renderActor(deps, person), 180);
      return true;
    },
  };
}

async function findObject(
  deps: ObjectRoutesDeps,
  guid: string,
  viewer: Viewer,
): Promise<JsonObject | undefined> {
  const post = await deps.posts.findVisible({ guid }, viewer);
  const postAuthor = post && (await findLocal(deps, post));
  if (post && postAuthor && post.rootGuid === null)
    return renderPost(
      deps,
      post,
      postAuthor,
      await listReaders(deps, post, viewer),
    );
  const comment = await deps.comments.findVisible({ guid }, viewer);
  const found = comment && (await renderVisibleComment(deps, comment, viewer));
  return found?.note;
}

type LocalComment = { readonly author: Person; readonly note: JsonObject };

async function renderVisibleComment(
  deps: ObjectRoutesDeps,
  comment: Comment,
  viewer: Viewer,
): Promise<LocalComment | undefined> {
  const author = await findLocal(deps, comment);
  const post = await deps.posts.findVisible({ id: comment.postId }, viewer);
  const postAuthor = post && (await deps.people.find({ id: post.personId }));
  if (!author || !post || !postAuthor) return undefined;
  const readers = await listReaders(deps, post, viewer);
  const thread = { post, postAuthor };
  const note = await renderComment(deps, comment, author, thread, readers);
  return note && { author, note };
}

async function findActivity(
  deps: ObjectRoutesDeps,
  guid: string,
  viewer: Viewer,
): Promise<JsonObject | undefined> {
  const post = await deps.posts.findVisible({ guid }, viewer);
  const postAuthor = post && (await findLocal(deps, post));
  if (post && postAuthor)
    return renderActivityOf(deps, post, postAuthor, viewer);
  const comment = await deps.comments.findVisible({ guid }, viewer);
  if (comment) {
    const found = await renderVisibleComment(deps, comment, viewer);
    return found && renderCreate(deps.uris, comment, found.author, found.note);
  }
  return (
    (await findLikeActivity(deps, guid, viewer)) ??
    (await findSent(deps, guid, viewer))
  );
}

async function findLikeActivity(
  deps: ObjectRoutesDeps,
  guid: string,
  viewer: Viewer,
): Promise<JsonObject | undefined> {
  const like = await deps.likes.find({ guid });
  const author = like && (await findLocal(deps, like));
  const post =
    like && (await deps.posts.findVisible({ id: like.postId }, viewer));
  const postAuthor = post && (await deps.people.find({ id: post.personId }));
  if (!like || !author || !post || !postAuthor) return undefined;
  const comment =
    like.commentId === null
      ? undefined
      : await deps.comments.find({ id: like.commentId });
  const on = { post, postAuthor, comment: comment ?? null };
  const liked = comment && (await deps.people.find({ id: comment.personId }));
  return renderLike(deps.uris, like, author, on, liked);
}

/** Follow, Accept, Undo and Delete: their author sees them, and those whom they were sent to. */
async function findSent(
  deps: ObjectRoutesDeps,
  guid: string,
  viewer: Viewer,
): Promise<JsonObject | undefined> {
  const sent = await findSentActivity(deps.db.read, guid);
  if (!sent) return undefined;
  const document = parseJson(Buffer.from(sent.document));
  if (sent.public || viewer?.personId === sent.personId) return document;
  const reader = viewer && (await deps.people.find({ id: viewer.personId }));
  const uri = reader ? deps.uris.ofPerson(reader) : null;
  // Of those whom a limited thing went to, a reader learns of itself alone.
  return uri !== null && sent.addressees.includes(uri)
    ? { ...document, to: [uri] }
    : undefined;
}

/** The author of a record, where it is a person here. */
async function findLocal(
  { people }: ObjectRoutesDeps,
  { personId }: Pick<Post, "personId">,
): Promise<Person | undefined> {
  const person = await people.find({ id: personId });
  return person?.userId != null && person.state === "active"
    ? person
    : undefined;
}
