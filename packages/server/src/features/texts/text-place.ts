import type { CommentId, PostId } from "../ids.ts";

/** The location of a text: a post, or a comment on it. */
export type TextPlace = {
  readonly postId: PostId;
  readonly commentId: CommentId | null;
};
