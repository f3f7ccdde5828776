import {
  acceptsActivityPub,
  buildTombstone,
  type JsonObject,
} from "@kith/activitypub";
import type { Viewer } from "../../../features/visibility/index.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Page } from "../../../features/page.ts";

import type { Retractions } from "../../../features/retractions/index.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Peers } from "../../peers/peers.ts";
import { isGuid } from "../../../lib/guids.ts";
import { sendActor } from "./actor-routes.ts";
import {
  findActivity,
  findObject,
  type FindDocumentDeps,
} from "../documents/find-document.ts";
import {
  countProvedReactions,
  listProvedReactions,
} from "../records/proved-store.ts";
import {
  inOneList,
  sendCollection,
  sendDocument,
  type Listing,
} from "../sending/send-document.ts";
import { listReadersToTag } from "../sending/readers-by-software.ts";
import { tagReaders } from "../render/tag-readers.ts";
import { countNamed, listNamed } from "../threads/thread-queries.ts";
import {
  findForServer,
  findViewer,
  type ViewerDeps,
} from "../documents/viewer.ts";

export type ObjectRoutesDeps = FindDocumentDeps &
  ViewerDeps & {
    readonly accounts: Accounts;
    readonly retractions: Retractions;
    readonly peers: Peers;
  };

/** Serves local objects and activities by their ids, to viewers with access. */
export function registerObjects(
  app: FastifyInstance,
  deps: ObjectRoutesDeps,
): void {
  const viewerOnly = {
    config: { access: "viewer", limit: "read", mayBeOld: true },
  } as const;
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
      const document = isGuid(guid)
        ? await findForServer(viewer, (who) => find(deps, guid, who))
        : undefined;
      if (document)
        return sendDocument(reply, await tagFor(deps, document, viewer));
      // A deleted activity leaves no tombstone: its object does.
      const tombstone =
        find === findObject && isGuid(guid)
          ? await findTombstone(deps, guid)
          : undefined;
      if (!tombstone) throw new KithError("not_found", "No such object.");
      return sendDocument(reply.code(410), tombstone);
    };
  app.get("/api/v1/ap/object/:guid", viewerOnly, serve(findObject));
  app.get("/api/v1/ap/activity/:guid", viewerOnly, serve(findActivity));
  app.get<{ Params: { guid: string } }>(
    "/api/v1/ap/context/:guid",
    viewerOnly,
    async (request, reply) => {
      const viewer = await findViewer(deps, request);
      const { guid } = request.params;
      const thread = await findForServer(viewer, (who) =>
        findThread(deps, guid, who),
      );
      if (!thread) throw new KithError("not_found", "No such conversation.");
      return sendCollection(request, reply, thread);
    },
  );
}

/** A limited object with the tags that its reader's server needs. */
async function tagFor(
  deps: ObjectRoutesDeps,
  document: JsonObject,
  viewer: Viewer,
): Promise<JsonObject> {
  const reader =
    viewer?.userId === null
      ? await deps.people.find({ id: viewer.personId })
      : undefined;
  if (!reader) return document;
  return tagReaders(
    deps.uris,
    document,
    await listReadersToTag(deps, [reader]),
  );
}

/**
 * The tombstone of a public object is public. Others look as if they had never
 * existed.
 */
async function findTombstone(
  { retractions, posts, uris }: ObjectRoutesDeps,
  guid: string,
): Promise<JsonObject | undefined> {
  const found =
    (await retractions.findOfUser("Post", guid)) ??
    (await retractions.findOfUser("Comment", guid));
  if (!found) return undefined;
  const { details } = found;
  if (details.kind !== "Post" && details.kind !== "Comment") return undefined;
  // A reshare is an activity, and never was an object.
  if (details.kind === "Post" && details.type === "reshare") return undefined;
  const place =
    details.kind === "Post"
      ? details
      : await posts.find({ id: details.postId });
  if (!place?.public) return undefined;
  const formerType =
    details.kind === "Post" && details.hadEvent ? "Event" : "Note";
  return buildTombstone({ id: uris.object(guid), formerType });
}

/**
 * A conversation: the post, its comments, oldest first, and at last the likes,
 * by their ids; for a limited post the remote ones as they were signed.
 */
async function findThread(
  deps: ObjectRoutesDeps,
  guid: string,
  viewer: Viewer,
): Promise<Listing | undefined> {
  const { db, posts, people, uris } = deps;
  const post = isGuid(guid)
    ? await posts.findVisible({ guid }, viewer)
    : undefined;
  const author = post && (await people.find({ id: post.personId }));
  if (!post || !author || post.rootGuid !== null) return undefined;
  const root = uris.ofPost(post, author);
  const named = root === null ? [] : [root];
  const said = { postId: post.id };
  const parts = [
    {
      count: named.length,
      list: async ({ offset, limit }: Page) =>
        named.slice(offset, offset + limit),
    },
    {
      count: await countNamed(db.read, said),
      list: (page: Page) => listNamed(db.read, uris, said, page),
    },
    {
      count: await countProvedReactions(db.read, post.id),
      list: (page: Page) => listProvedReactions(db.read, post.id, page),
    },
  ];
  return { id: uris.context(post.guid), ...inOneList(parts) };
}

/** Serves the object itself at the URL of a page, if a client asks for it. */
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
      // A reshare has no object of its own: it is its Announce.
      const document = await findForServer(
        viewer,
        async (who) =>
          (await findObject(deps, guid, who)) ??
          (await findActivity(deps, guid, who)),
      );
      if (!document) throw new KithError("not_found", "No such object.");
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
        throw new KithError("not_found", "No such person.");
      await sendActor(deps, request, reply, person);
      return true;
    },
  };
}
