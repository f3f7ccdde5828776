import type { CommentId, PostId } from "../ids.ts";

/** Where a text stands: a post, or a comment on it. */
export type TextPlace = {
  readonly postId: PostId;
  readonly commentId: CommentId | null;
};
