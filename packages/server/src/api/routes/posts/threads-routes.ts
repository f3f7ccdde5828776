import { Type } from "../../../lib/json-schema.ts";
import { uint } from "../../../http/input/input.ts";
import type { Comment } from "../../../features/comments/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { ThreadComment } from "../../../features/threads/index.ts";
import type { Viewer } from "../../../features/visibility/index.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, COMMON, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, one } from "../../schemas/schemas.ts";
import { getComment, presentComments } from "./comments-routes.ts";
import { getPost, presentOne } from "./posts-routes.ts";

const LONG =
  "Of a conversation with more than 5,000 comments the oldest are shown.";

const { offset, limit } = COMMON.properties;
const PAGED = Type.Object({
  ...{ offset, limit },
  before: uint("The ID of the comment before which the Descendants end"),
  after: uint("The ID of the comment after which the Descendants begin"),
});

/** Conversations below posts, and the choice to hear no more of one. */
export function threadsRoutes(deps: PresentPostsDeps): ApiRoute[] {
  return [...readingRoutes(deps), ...mutingRoutes(deps)];
}

function readingRoutes(deps: PresentPostsDeps): ApiRoute[] {
  const { threads } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "showPostThread",
      path: "/posts/:id/thread",
      summary: "Shows the conversation below a post.",
      description: LONG,
      input: PAGED,
      output: one("Thread"),
      handle: async ({ user, path, page }) => {
        const post = await getPost(deps, path("id"), user);
        const below = await threads.listBelowPost(post.id, page, user);
        return presentThread(deps, { post, below }, user);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "showCommentThread",
      path: "/comments/:id/thread",
      summary: "Shows the conversation above and below a comment.",
      description: LONG,
      input: PAGED,
      output: one("Thread"),
      handle: async ({ user, path, page }) => {
        const comment = await getComment(deps, path("id"), user);
        return presentThread(
          deps,
          {
            post: await getPost(deps, String(comment.postId), user),
            above: await threads.listAbove(comment, user),
            comment,
            below: await threads.listBelow(comment, page, user),
          },
          user,
        );
      },
    }),
  ];
}

function mutingRoutes(deps: PresentPostsDeps): ApiRoute[] {
  const { threads } = deps;
  return [
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:mutes",
      name: "mutePost",
      path: "/posts/:id/mute",
      summary: "Stops notifications of a post and of everything below it.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { id } = await getPost(deps, path("id"), user);
        await threads.mute(user, { id });
        return {};
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:mutes",
      name: "unmutePost",
      path: "/posts/:id/mute",
      summary: "Notifies you of the conversation below a post again.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { id } = await getPost(deps, path("id"), user);
        await threads.unmute(user, { id });
        return {};
      },
    }),
  ];
}

type Thread = {
  readonly post: Post;
  readonly above?: readonly Comment[];
  readonly comment?: Comment;
  readonly below: readonly ThreadComment[];
};

async function presentThread(
  deps: PresentPostsDeps,
  { post, above = [], comment, below }: Thread,
  viewer: Viewer,
): Promise<WireRecord> {
  const [own] = comment ? await presentComments(deps, [comment], viewer) : [];
  const replies = below.map((reply) => reply.comment);
  const shown = await presentComments(deps, replies, viewer);
  return {
    Post: await presentOne(deps, post, viewer),
    Ancestors: await presentComments(deps, above, viewer),
    Comment: own ?? null,
    Descendants: below.map(({ depth }, at) => ({
      ...shown[at],
      Depth: depth + 1,
    })),
  };
}
