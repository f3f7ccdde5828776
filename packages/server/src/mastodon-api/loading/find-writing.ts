import type { CommentId, PostId } from "../../features/ids.ts";
import { kindOfTimeId } from "../../features/time-id.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { notFound } from "../kit/refusals.ts";
import type { Writing } from "../entities/status.ts";
import type { MastodonDeps } from "./deps.ts";

type FindDeps = Pick<MastodonDeps, "comments" | "posts">;

/** Finds a post or a comment that the viewer may see. */
export async function findWriting(
  { posts, comments }: FindDeps,
  id: number,
  viewer: Viewer,
): Promise<Writing | undefined> {
  if (kindOfTimeId(id) === "comment") {
    const commentId = id as CommentId;
    const comment = await comments.findVisible({ id: commentId }, viewer);
    const key = comment && { id: comment.postId };
    const post = key && (await posts.findVisible(key, viewer));
    return post && comment && { post, comment };
  }
  const post = await posts.findVisible({ id: id as PostId }, viewer);
  return post && { post, comment: null };
}

/** @throws {KithError} `not_found` */
export async function getWriting(
  deps: FindDeps,
  id: number,
  viewer: Viewer,
): Promise<Writing> {
  const found = await findWriting(deps, id, viewer);
  if (!found) throw notFound();
  return found;
}

/**
 * The same, with the reshared post in place of a reshare: what is done to a reshare is meant
 * for that.
 * @throws {KithError} `not_found`
 */
export async function getOriginal(
  deps: FindDeps,
  id: number,
  viewer: Viewer,
): Promise<Writing> {
  const found = await getWriting(deps, id, viewer);
  const { rootGuid } = found.post;
  if (found.comment || rootGuid === null) return found;
  const post = await deps.posts.findVisible({ guid: rootGuid }, viewer);
  if (!post) throw notFound();
  return { post, comment: null };
}

/** Finds those of several that the viewer may see, in their order. */
export async function listWritings(
  { posts, comments }: FindDeps,
  ids: readonly number[],
  viewer: Viewer,
): Promise<Writing[]> {
  const ofComments = ids.filter((id) => kindOfTimeId(id) === "comment");
  const found = await comments.listById(ofComments as CommentId[]);
  const wanted = [
    ...ids.filter((id) => kindOfTimeId(id) === "post"),
    ...[...found.values()].map(({ postId }) => postId),
  ];
  const visible = await posts.listById(
    [...new Set(wanted)] as PostId[],
    viewer,
  );
  const byId = new Map<number, (typeof visible)[number]>(
    visible.map((post) => [post.id, post]),
  );
  return ids.flatMap((id) => {
    const comment = found.get(id as CommentId) ?? null;
    const post = byId.get(comment?.postId ?? id);
    return post ? [{ post, comment }] : [];
  });
}
