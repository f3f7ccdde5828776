import { setImmediate } from "node:timers/promises";
import type { Comment } from "../../features/comments/index.ts";
import type { CommentId } from "../../features/ids.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { html, type Html } from "../kit/html.ts";
import { icon } from "../kit/icons.ts";
import { photoTexts } from "../languages/texts.ts";
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
  const [people, photos, likes, reactions, filtered, liked, mentioned] =
    await Promise.all([
      context.people.listById(comments.map(({ personId }) => personId)),
      context.photos.listOfComments(ids),
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
  const read = { people, photos, mentioned, likes, reactions, filtered };
  return { ...read, liked, ...on };
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

/** A comment outside its thread, and the post that it belongs to. */
export type Answer = { readonly comment: Comment; readonly post: Post };

/** Comments that the viewer may see, for a list, each with the way to its thread above it. */
export async function loadAnswerViews(
  context: PagesContext,
  answers: readonly Answer[],
  on: Pick<CommentedPost, "acting" | "session">,
): Promise<Map<CommentId, Html>> {
  const [first] = answers;
  if (!first) return new Map();
  const comments = answers.map(({ comment }) => comment);
  const [around, authors] = await Promise.all([
    loadComments(context, comments, { ...on, post: first.post }),
    context.people.listById(answers.map(({ post }) => post.personId)),
  ]);
  const views = new Map<CommentId, Html>();
  for (const { comment, post } of answers) {
    const view = commentView(context, comment, { ...around, post });
    const why = whyView(comment, authors.get(post.personId));
    views.set(comment.id, html`<div>${why} ${view}</div>`);
    // Rendering a text may take long: let other requests run in between.
    await setImmediate();
  }
  return views;
}

function whyView({ guid }: Comment, author: Person | undefined): Html {
  const name = author ? displayName(author) : "";
  return html`<p class="why">
    ${icon("comment")}
    <a href="/comments/${encodeURIComponent(guid)}" dir="auto"
      >${photoTexts.inAnswerTo(name)}</a
    >
  </p>`;
}
