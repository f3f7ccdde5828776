import type { Comment } from "../../features/comments/index.ts";
import type { Html } from "../kit/html.ts";
import type { PagesContext } from "../session/visitor.ts";
import {
  commentView,
  threadView,
  type CommentedPost,
  type CommentSurroundings,
} from "./comments-view.ts";
import type { ShownThread } from "./load-thread.ts";
import { findMentioned } from "./post-text.ts";

/** Reads the data shown with comments that the viewer may see. */
export async function loadComments(
  context: PagesContext,
  comments: readonly Comment[],
  on: CommentedPost,
): Promise<CommentSurroundings> {
  const ids = comments.map(({ id }) => id);
  const viewer = on.session?.user ?? null;
  const [people, likes, reactions, filtered, liked, mentioned] =
    await Promise.all([
      context.people.listById(comments.map(({ personId }) => personId)),
      context.likes.count("Comment", ids),
      context.reactions.count("Comment", ids, viewer),
      context.filters.matchComments(comments, viewer),
      viewer === null
        ? new Map<number, boolean>()
        : context.likes.listBy(viewer.personId, "Comment", ids),
      findMentioned(
        context,
        comments.map(({ text }) => text),
      ),
    ]);
  return { people, mentioned, likes, reactions, filtered, liked, ...on };
}

/** Reads the data shown with the comments of a thread. */
export function loadThreadSurroundings(
  context: PagesContext,
  { root, part }: ShownThread,
  on: CommentedPost,
): Promise<CommentSurroundings> {
  const comments = part.items.map(({ comment }) => comment);
  return loadComments(context, root ? [root, ...comments] : comments, on);
}

/** The comments of a page, to be put in their own place there. */
export async function loadThreadView(
  context: PagesContext,
  thread: ShownThread,
  on: CommentedPost,
): Promise<Html> {
  const around = await loadThreadSurroundings(context, thread, on);
  return threadView(context, thread, around);
}

/** A comment that the viewer may see, to be put in its own place in a page. */
export async function loadCommentView(
  context: PagesContext,
  comment: Comment,
  on: CommentedPost,
): Promise<Html> {
  const around = await loadComments(context, [comment], on);
  return commentView(context, comment, around);
}
