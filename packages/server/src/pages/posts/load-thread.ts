import type { FastifyRequest } from "fastify";
import {
  MAX_THREAD_LENGTH,
  type Comment,
} from "../../features/comments/index.ts";
import type { CommentId, PostId } from "../../features/ids.ts";
import type { Post } from "../../features/posts/index.ts";
import type { ThreadComment } from "../../features/threads/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { isGuid } from "../../lib/guids.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { KEYED, readKeyedPart, type Part } from "../kit/page-input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import type { Page } from "../../features/page.ts";
import type { PagesContext } from "../session/visitor.ts";

const COMMENTS_PER_PAGE = 50;

/** Replies below the third level are on a page of their own. */
const LEVELS = 3;

const SHOWN = Type.Object({
  thread: text("The Guid of a comment: only the replies to it are shown"),
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
  const { thread } = readInput(SHOWN, request.parameters);
  const keys = readInput(KEYED, request.parameters);
  const root = await findRoot(context, post, thread, viewer);
  const cut = { levels: LEVELS };
  const isLong = !root && (await isTooLong(context, post.id, viewer));
  const list = async (page: Page) => {
    if (root) return threads.listBelow(root, page, viewer, cut);
    if (!isLong) return threads.listBelowPost(post.id, page, viewer, cut);
    const found = await comments.list(post.id, page, viewer);
    return found.map((comment) => ({ comment, depth: 0, deeper: 0 }));
  };
  const query = queryOf(root, {});
  const read = (parameters: Parameters) =>
    readKeyedPart(
      { parameters },
      {
        path: query === "" ? "" : `?${query}`,
        ...{ size: COMMENTS_PER_PAGE, order: "oldest first" },
      },
      async (page) => (await list(page)).map((it) => withId(it)),
    );
  try {
    const part = await read(request.parameters);
    return { post, root, part, query: queryOf(root, keys) };
  } catch (error) {
    if (!(error instanceof KithError && error.code === "bad_request"))
      throw error;
    // The comment of the key is gone: the conversation begins anew.
    return { post, root, part: await read({}), query };
  }
}

const withId = (it: ThreadComment) => ({ ...it, id: it.comment.id });

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
  keys: Pick<Page, "after" | "before">,
): string {
  const query = new URLSearchParams();
  if (root) query.set("thread", root.guid);
  for (const name of ["before", "after"] as const)
    if (keys[name] !== undefined) query.set(name, String(keys[name]));
  return query.toString();
}

/** The comment after which the page begins that shows the one below these. */
function lastOfEarlierPages(
  earlier: readonly CommentId[],
): CommentId | undefined {
  const { length } = earlier;
  return earlier[length - (length % COMMENTS_PER_PAGE) - 1];
}

/** The page of the replies to a comment. */
export function threadPath(
  page: string,
  comment: Pick<Comment, "guid">,
): string {
  return `${page}?${queryOf(comment, {})}#comments`;
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
  // A conversation that is not arranged goes by the ids: its page begins with the comment.
  const after = place ? lastOfEarlierPages(place.earlier) : comment.id - 1;
  return {
    query: queryOf(root, { after }),
    fragment: encodeURIComponent(comment.guid),
  };
}
