import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Viewer } from "../../../features/visibility/index.ts";
import type { Comment } from "../../../features/comments/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { isGuid } from "../../../lib/guids.ts";
import type { ObjectRoutesDeps } from "./object-routes.ts";
import { sendCollection, type Listing } from "../sending/send-document.ts";
import { countNamed, listNamed } from "../threads/thread-queries.ts";
import { findForServer, findViewer } from "../documents/viewer.ts";

/** A local post or comment, as far as the viewer may see it. */
type Found = { readonly post: Post; readonly comment: Comment | null };

type Describe = (
  deps: ObjectRoutesDeps,
  found: Found,
  id: string,
) => Promise<Listing>;

/**
 * Serves the replies to a local post or comment, and the numbers of its likes
 * and shares.
 */
export function registerObjectCollections(
  app: FastifyInstance,
  deps: ObjectRoutesDeps,
): void {
  const config = { access: "viewer", limit: "read", mayBeOld: true } as const;
  const serve =
    (name: string, describe: Describe) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { guid } = request.params as { guid: string };
      const viewer = await findViewer(deps, request);
      const found = isGuid(guid)
        ? await findForServer(viewer, (who) => findOwn(deps, guid, who))
        : undefined;
      if (!found) throw new KithError("not_found", "No such object.");
      const id = `${deps.uris.object(guid)}/${name}`;
      const listing = await describe(deps, found, id);
      return sendCollection(request, reply, listing);
    };
  for (const [name, describe] of Object.entries(COLLECTIONS))
    app.get(
      `/api/v1/ap/object/:guid/${name}`,
      { config },
      serve(name, describe),
    );
}

const COLLECTIONS: Readonly<Record<"replies" | "likes" | "shares", Describe>> =
  {
    replies: async ({ db, uris }, { post, comment }, id) => {
      const said = { postId: post.id, parentGuid: comment?.guid ?? null };
      return {
        id,
        totalItems: await countNamed(db.read, said),
        list: (page) => listNamed(db.read, uris, said, page),
      };
    },
    likes: async ({ likes }, { post, comment }, id) => {
      const [type, target] = comment
        ? (["Comment", comment.id] as const)
        : (["Post", post.id] as const);
      const counts = (await likes.count(type, [target])).get(target);
      return { id, totalItems: counts?.likes ?? 0 };
    },
    shares: async ({ posts }, { post, comment }, id) => {
      const counts = comment
        ? null
        : await posts.countReshares([post.guid], null);
      return { id, totalItems: counts?.get(post.guid) ?? 0 };
    },
  };

async function findOwn(
  { posts, comments, people }: ObjectRoutesDeps,
  guid: string,
  viewer: Viewer,
): Promise<Found | undefined> {
  const isOurs = async ({ personId }: Pick<Post, "personId">) =>
    (await people.find({ id: personId }))?.userId != null;
  const post = await posts.findVisible({ guid }, viewer);
  if (post)
    return post.rootGuid === null && (await isOurs(post))
      ? { post, comment: null }
      : undefined;
  const comment = await comments.findVisible({ guid }, viewer);
  if (!comment || !(await isOurs(comment))) return undefined;
  const on = await posts.findVisible({ id: comment.postId }, viewer);
  return on && { post: on, comment };
}
