import type { FastifyRequest } from "fastify";
import {
  MAX_THREAD_LENGTH,
  type Comment,
} from "../../features/comments/index.ts";
import type { PostId } from "../../features/ids.ts";
import type { Post } from "../../features/posts/index.ts";
import type { ThreadComment } from "../../features/threads/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { readInput, text, uint } from "../../http/input/input.ts";
import { isGuid } from "../../lib/guids.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { readPart, type Part } from "../kit/page-input.ts";
import type { PagesContext } from "../session/visitor.ts";

const COMMENTS_PER_PAGE = 50;

/** Replies below the third level are on a page of their own. */
const LEVELS = 3;

const SHOWN = Type.Object({
  thread: text("The Guid of a comment: only the replies to it are shown"),
  offset: uint("How many of the comments to leave out"),
});

/** The comments on a post, or the replies to one of them, as a page shows them. */
export type ShownThread = {
  readonly post: Post;
  /** The comment above the replies. */
  readonly root: Comment | undefined;
  readonly part: Part<ThreadComment>;
  /** The query that selects it, without a question mark. */
  readonly query: string;
};

/**
 * Reads the part of a conversation that the request selects.
 * @param post that the viewer may see
 * @throws {KithError} `not_found` for replies to a comment that is not below the post
 */
export async function loadThread(
  context: PagesContext,
  request: Pick<FastifyRequest, "parameters">,
  post: Post,
  viewer: Viewer,
): Promise<ShownThread> {
  const { comments, threads } = context;
  const { thread, offset = 0 } = readInput(SHOWN, request.parameters);
  const root = await findRoot(context, post, thread, viewer);
  const cut = { levels: LEVELS };
  const isLong = !root && (await isTooLong(context, post.id, viewer));
  const part = await readPart(
    request,
    COMMENTS_PER_PAGE,
    async (page) => {
      if (root) return threads.listBelow(root, page, viewer, cut);
      if (!isLong) return threads.listBelowPost(post.id, page, viewer, cut);
      const found = await comments.list(post.id, page, viewer);
      return found.map((comment) => ({ comment, depth: 0, deeper: 0 }));
    },
    queryOf(root, 0),
  );
  return { post, root, part, query: queryOf(root, offset) };
}

/** A conversation that is too long to be arranged is listed by its age. */
async function isTooLong(
  { comments }: PagesContext,
  id: PostId,
  viewer: Viewer,
): Promise<boolean> {
  const counts = await comments.count([id], viewer);
  return (counts.get(id) ?? 0) > MAX_THREAD_LENGTH;
}

async function findRoot(
  { comments }: PagesContext,
  post: Post,
  guid: string | undefined,
  viewer: Viewer,
): Promise<Comment | undefined> {
  if (guid === undefined) return undefined;
  const root = isGuid(guid)
    ? await comments.findVisible({ guid }, viewer)
    : undefined;
  if (root?.postId === post.id) return root;
  throw new KithError("not_found", "No such comment on that post.");
}

function queryOf(
  root: Pick<Comment, "guid"> | undefined,
  offset: number,
): string {
  const query = new URLSearchParams();
  if (root) query.set("thread", root.guid);
  if (offset > 0) query.set("offset", String(offset));
  return query.toString();
}

/** The page of the replies to a comment. */
export function threadPath(
  page: string,
  comment: Pick<Comment, "guid">,
): string {
  return `${page}?${queryOf(comment, 0)}#comments`;
}

/**
 * The query and fragment of the page that shows a comment.
 * @param comment that the viewer may see
 */
export async function findCommentPlace(
  context: PagesContext,
  comment: Comment,
  viewer: Viewer,
): Promise<{ readonly query: string; readonly fragment: string }> {
  const { comments, threads } = context;
  const isLong = await isTooLong(context, comment.postId, viewer);
  const place = isLong
    ? undefined
    : await threads.locate(comment, viewer, LEVELS);
  const below = place?.below ?? null;
  const root =
    below === null ? undefined : (await comments.listById([below])).get(below);
  const earlier =
    place?.earlier ?? (await comments.countEarlier(comment, viewer));
  const offset = earlier - (earlier % COMMENTS_PER_PAGE);
  return {
    query: queryOf(root, offset),
    fragment: encodeURIComponent(comment.guid),
  };
}
