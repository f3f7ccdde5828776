import {
  buildActivity,
  buildNote,
  PUBLIC,
  type JsonObject,
} from "@kith/activitypub";
import type { FastifyInstance } from "fastify";
import type { Viewer } from "../../../features/visibility/index.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { readHeaderToken } from "../../../http/input/header-token.ts";
import { KithError } from "../../../lib/errors.ts";
import { loadLinkedPeople } from "../../outbound/load/load-linked-people.ts";
import { getOwner } from "./actor-routes.ts";
import type { FindDocumentDeps } from "../documents/find-document.ts";
import type { ViewerDeps } from "../documents/viewer.ts";
import { countInbox, listInbox } from "../client/inbox-queries.ts";
import { renderText } from "../render/render-text.ts";
import { sendCollection } from "../sending/send-document.ts";
import { showPostActivity } from "../documents/show-post.ts";

export type InboxReadDeps = FindDocumentDeps & Pick<ViewerDeps, "authenticate">;

/**
 * Lets a user read the inbox. Received activities are deleted once applied, so
 * it lists their results: the posts that the user received.
 */
export function registerInboxReading(
  app: FastifyInstance,
  deps: InboxReadDeps,
): void {
  app.get(
    "/api/v1/ap/person/:username/inbox",
    { config: { access: "token", limit: "read" } },
    async (request, reply) => {
      const owner = await getOwner(deps, request);
      const token = readHeaderToken(request);
      const viewer =
        token === undefined ? undefined : await deps.authenticate(token);
      if (!viewer)
        throw new KithError("unauthorized", "An inbox is its owner's.", {
          isTokenRefused: token !== undefined,
        });
      request.countFor(viewer.userId);
      if (viewer.personId !== owner.id)
        throw new KithError("forbidden", "Another user's inbox.");
      const { db, uris } = deps;
      return sendCollection(request, reply, {
        id: `${uris.actor(usernameOf(owner))}/inbox`,
        totalItems: await countInbox(db.read, viewer),
        list: async (page) => {
          const ids = await listInbox(db.read, viewer, page);
          const items: JsonObject[] = [];
          for (const id of ids) {
            const post = await deps.posts.find({ id });
            const item = post && (await renderArrival(deps, post, viewer));
            if (item) items.push(item);
          }
          return items;
        },
      });
    },
  );
}

async function renderArrival(
  deps: InboxReadDeps,
  post: Post,
  viewer: NonNullable<Viewer>,
): Promise<JsonObject | undefined> {
  const author = await deps.people.find({ id: post.personId });
  if (!author) return undefined;
  if (author.userId !== null)
    return showPostActivity(deps, post, author, viewer);
  const reader = await deps.people.find({ id: viewer.personId });
  const { actorUri, followersUri } = author.addresses;
  if (!reader || actorUri === null || post.uri === null) return undefined;
  const address = post.public
    ? { to: [PUBLIC], cc: followersUri === null ? [] : [followersUri] }
    : { to: [deps.uris.actor(usernameOf(reader))], cc: [] };
  const shared = { actor: actorUri, ...address, published: post.createdAt };
  if (post.rootGuid !== null)
    return renderReshare(deps, post.uri, post.rootGuid, shared);
  const object = await renderNote(deps, post, author, post.uri, address);
  // The id of the original activity is not stored, and no other may be given.
  const { id: _, ...create } = buildActivity({
    id: post.uri,
    type: "Create",
    object,
    ...shared,
  });
  return create;
}

async function renderReshare(
  { posts, people, uris }: InboxReadDeps,
  id: string,
  rootGuid: string,
  shared: { actor: string; to: string[]; cc: string[]; published: string },
): Promise<JsonObject | undefined> {
  const root = await posts.find({ guid: rootGuid });
  const author = root && (await people.find({ id: root.personId }));
  const object = root && author ? uris.ofPost(root, author) : null;
  if (object === null) return undefined;
  return buildActivity({ id, type: "Announce", object, ...shared });
}

async function renderNote(
  deps: InboxReadDeps,
  post: Post,
  author: Person,
  id: string,
  address: { to: string[]; cc: string[] },
): Promise<JsonObject> {
  const linked = await loadLinkedPeople(deps, [post.text]);
  const text = renderText(deps.uris, post.text, linked);
  return buildNote({
    id,
    attributedTo: author.addresses.actorUri ?? "",
    contentHtml: text.html,
    source: post.text,
    ...address,
    published: post.createdAt,
    ...(post.updatedAt > post.createdAt ? { updated: post.updatedAt } : {}),
    url: post.url ?? id,
    guid: post.guid,
    tags: text.tags,
  });
}
