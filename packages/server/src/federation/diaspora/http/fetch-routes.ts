import { fetchUrl, MAGIC_ENVELOPE_TYPE, type Entity } from "@kith/diaspora";
import type { FastifyInstance } from "fastify";
import type { Person } from "../../../features/people/index.ts";
import { findProvenSeed } from "../../remote-people/proven-origins.ts";
import type { Post, PostKey } from "../../../features/posts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { isGuid } from "../../../lib/guids.ts";
import {
  attachedPhotos,
  loadAttachments,
} from "../../outbound/load/load-post.ts";
import type { DiasporaDeps } from "../deps.ts";
import { asSigner, sealEntity } from "../records/envelopes.ts";
import { renderPhoto, renderPost } from "../render/render-post.ts";
import { renderComment } from "../render/render-relayable.ts";
import { isPicture } from "../render/text-with-files.ts";
import { signAsAuthor } from "../sign-relayable.ts";

type FetchRoutesDeps = Pick<
  DiasporaDeps,
  | "uriOfPost"
  | "baseUrl"
  | "db"
  | "accounts"
  | "people"
  | "photos"
  | "posts"
  | "comments"
  | "events"
  | "polls"
  | "quotes"
>;

/** A known public object, with its entity if its author is local. */
type Found = {
  readonly author: Person;
  readonly render: () => Promise<Entity | undefined>;
};

/**
 * Serves public objects, and redirects to the authors' servers for remote ones.
 */
export function registerFetchRoutes(
  app: FastifyInstance,
  deps: FetchRoutesDeps,
): void {
  app.get<{ Params: { type: string; guid: string } }>(
    "/fetch/:type/:guid",
    { config: { access: "anyone", limit: "read", mayBeOld: true } },
    async (request, reply) => {
      const { type, guid } = request.params;
      const found = isGuid(guid) ? await find(deps, type, guid) : undefined;
      if (!found) throw new KithError("not_found", "Nothing public there.");
      const { author, render } = found;
      // An origin that only its author claims is not redirected to.
      const seed = findProvenSeed(author);
      if (author.userId === null && seed !== undefined)
        return reply.redirect(fetchUrl(seed, type, guid), 302);
      const signer = asSigner(author);
      const entity = signer && (await render());
      if (!signer || !entity)
        throw new KithError("not_found", "It cannot be handed out.");
      return reply
        .type(MAGIC_ENVELOPE_TYPE)
        .send(await sealEntity(deps, entity, signer));
    },
  );
}

async function find(
  deps: FetchRoutesDeps,
  type: string,
  guid: string,
): Promise<Found | undefined> {
  switch (type) {
    case "post":
      return findPost(deps, { guid });
    case "status_message":
      return findPost(deps, { guid }, "post");
    case "reshare":
      return findPost(deps, { guid }, "reshare");
    case "comment":
      return findComment(deps, guid);
    case "photo":
      return findPhoto(deps, guid);
    case "poll": {
      const poll = await deps.polls.find({ guid });
      return poll && findPost(deps, { id: poll.postId });
    }
    case "event":
      return findEvent(deps, guid);
    default:
      return undefined;
  }
}

async function findPost(
  deps: FetchRoutesDeps,
  key: PostKey,
  type?: Post["type"],
): Promise<Found | undefined> {
  const { people, posts } = deps;
  const post = await posts.findVisible(key, null);
  if (!post || (type !== undefined && post.type !== type)) return undefined;
  const author = await people.find({ id: post.personId });
  if (!author) return undefined;
  const findRootAuthor = async () =>
    post.rootPersonId === null
      ? undefined
      : people.find({ id: post.rootPersonId });
  return {
    author,
    render: async () =>
      renderPost(post, author, {
        rootAuthor: (await findRootAuthor())?.handle,
        content: await loadAttachments(deps, post, author),
        uri: deps.uriOfPost(post, author),
        baseUrl: deps.baseUrl,
      }),
  };
}

/**
 * The post that announces an event: an event is served only as part of it
 * (protocol section 11.1).
 */
async function findEvent(
  deps: FetchRoutesDeps,
  guid: string,
): Promise<Found | undefined> {
  const event = await deps.events.find({ guid });
  if (!event) return undefined;
  const posts = await deps.posts.listWithEvent(event.id, event.personId);
  const announced = posts.find((post) => post.public);
  return announced && findPost(deps, { id: announced.id });
}

async function findPhoto(
  { people, photos, posts }: FetchRoutesDeps,
  guid: string,
): Promise<Found | undefined> {
  const photo = await photos.findVisible({ guid }, null);
  const author = photo && (await people.find({ id: photo.personId }));
  // Those of comments are in the texts.
  if (!photo || photo.commentId !== null) return undefined;
  if (!author || !isPicture({ photo })) return undefined;
  const { postId } = photo;
  return {
    author,
    render: async () => {
      const post =
        postId === null ? undefined : await posts.find({ id: postId });
      const attached = { photo, folder: photos.mediaUrl, public: true };
      return renderPhoto(attached, post?.guid, author);
    },
  };
}

async function findComment(
  deps: FetchRoutesDeps,
  guid: string,
): Promise<Found | undefined> {
  const { people, posts, comments } = deps;
  const comment = await comments.findVisible({ guid }, null);
  const post =
    comment && (await posts.findVisible({ id: comment.postId }, null));
  const author = comment && (await people.find({ id: comment.personId }));
  if (!comment || !post || !author) return undefined;
  return {
    author,
    render: async () => {
      const found = await deps.photos.listOfComments([comment.id]);
      const photos = attachedPhotos(deps, found.get(comment.id) ?? [], post);
      const entity = renderComment(comment, author, { photos, post });
      return signAsAuthor(deps, entity, author);
    },
  };
}
