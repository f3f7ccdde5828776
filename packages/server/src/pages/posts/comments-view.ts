import { setImmediate } from "node:timers/promises";
import type { Session } from "../../features/accounts/index.ts";
import type { Comment } from "../../features/comments/index.ts";
import type { CommentId, PersonId } from "../../features/ids.ts";
import type { FilterMatch } from "../../features/visibility/index.ts";
import type { LikeCounts } from "../../features/likes/index.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import type { Photo } from "../../features/photos/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { ReactionCount } from "../../features/reactions/index.ts";
import type { ThreadComment } from "../../features/threads/index.ts";
import { withEmojis } from "../kit/emoji-view.ts";
import { html, type Html, type HtmlValue, partAttribute } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import {
  avatarView,
  handleView,
  nameView,
  personPath,
} from "../kit/person-view.ts";
import { commentActsView, postPath, type Acting } from "./act-view.ts";
import { threadPath, type ShownThread } from "./load-thread.ts";
import { photosView } from "./attached/photos-view.ts";
import { textView, type Mentioned } from "./post-text.ts";
import { reactionsView } from "./reactions-view.ts";
import { reportLink } from "./report-view.ts";
import { detailTexts, filterTexts, pageTexts } from "../languages/texts.ts";
import { timeView } from "../kit/time-view.ts";
import type { PagesContext } from "../session/visitor.ts";

const texts = pageTexts.post;

/** The post whose comments are shown, and to whom. */
export type CommentedPost = {
  readonly session: Session | undefined;
  readonly post: Post;
  /** The visitor who may act on them. */
  readonly acting: Acting | undefined;
};

/** The data shown with comments, read once for all of them. */
export type CommentSurroundings = CommentedPost & {
  readonly people: ReadonlyMap<PersonId, Person>;
  readonly photos: ReadonlyMap<CommentId, readonly Photo[]>;
  readonly mentioned: Mentioned;
  readonly likes: ReadonlyMap<number, LikeCounts>;
  readonly reactions: ReadonlyMap<number, readonly ReactionCount[]>;
  /** By the viewer's filters. */
  readonly filtered: ReadonlyMap<CommentId, readonly FilterMatch[]>;
  /** The viewer's own likes and dislikes. */
  readonly liked: ReadonlyMap<number, boolean>;
};

/** A post with its comments. */
export async function commentsView(
  context: PagesContext,
  title: string,
  post: Html | undefined,
  shown: ShownThread,
  around: CommentSurroundings,
  /** The form for a new comment, and the way to those that are not read yet. */
  { form, unread }: { readonly form: Html; readonly unread: HtmlValue },
): Promise<Html> {
  return html`<h1 class="unseen">${title}</h1>
    ${post} ${reportOf(around.session, "post", around.post)}
    <section aria-labelledby="comments">
      <h2 id="comments">${texts.commentsTitle}</h2>
      ${unread} ${await threadView(context, shown, around)} ${form}
    </section>`;
}

/** A reshare without comments of its own: the conversation is below the original, if that is here. */
export function lonelyReshareView(
  title: string,
  shown: Html,
  { post, session }: CommentedPost,
  root: Post | undefined,
): Html {
  return html`<h1 class="unseen">${title}</h1>
    ${shown}
    ${
      root &&
      html`<p>
        <a href="${postPath(root.guid)}#comments"
          >${detailTexts.thread.ofOriginal}</a
        >
      </p>`
    }
    ${reportOf(session, "post", post)}`;
}

/** The address at which the script reads the comments of a page anew. */
function threadPart({ post, query }: ShownThread): string {
  const path = `/parts/threads/${encodeURIComponent(post.guid)}`;
  return query === "" ? path : `${path}?${query}`;
}

/** The comments of a page: replies stand below their parent, the oldest first. */
export async function threadView(
  context: PagesContext,
  shown: ShownThread,
  around: CommentSurroundings,
): Promise<Html> {
  const { root, part } = shown;
  const authors = new Map(
    [...(root ? [root] : []), ...part.items.map(({ comment }) => comment)].map(
      ({ guid, personId }) => [guid, around.people.get(personId)],
    ),
  );
  const views: Html[] = [];
  for (const one of part.items) {
    const view = commentView(context, one.comment, around);
    const parent = authors.get(one.comment.parentGuid ?? "");
    views.push(placedView(view, one, parent, around.post));
    // Rendering a text may take long: let other requests run in between.
    await setImmediate();
  }
  return html`<div ${around.acting && partAttribute(threadPart(shown))}>
    ${root && rootView(context, root, around)}
    ${
      part.items.length === 0 &&
      html`<p class="quiet">
        ${root ? detailTexts.thread.noReplies : texts.noComments}
      </p>`
    }
    ${views}
    ${paginationView(part, {
      previous: pageTexts.earlierComments,
      next: pageTexts.laterComments,
    })}
  </div>`;
}

/**
 * A comment at its depth, and the way to the replies that are on a page of their own.
 * @param parent the author of the comment that it answers, if that is on the page
 */
function placedView(
  view: Html,
  { comment, depth, deeper }: ThreadComment,
  parent: Person | undefined,
  post: Post,
): Html {
  const { inAnswerTo, more } = detailTexts.thread;
  const link =
    deeper > 0 &&
    html`<p class="deeper">
      <a href="${threadPath(postPath(post.guid), comment)}">${more(deeper)}</a>
    </p>`;
  if (depth === 0) return html`${view} ${link}`;
  return html`<div class="level-${depth}">
    ${parent && html`<p class="unseen">${inAnswerTo(displayName(parent))}</p>`}
    ${view} ${link}
  </div>`;
}

/** The comment above a thread of its own, and the way to all of them. */
function rootView(
  context: PagesContext,
  root: Comment,
  around: CommentSurroundings,
): Html {
  return html`<p>
      <a href="${postPath(around.post.guid)}#comments"
        >${detailTexts.thread.whole}</a
      >
    </p>
    ${commentView(context, root, around)}`;
}

/** Folds the text behind its content warning, if it has one. */
function foldedView(
  { warning, emojis }: Comment,
  author: Person | undefined,
  body: Html,
): Html {
  if (warning === null) return body;
  const shown = author?.isPictured ? emojis : [];
  return html`<details>
    <summary dir="auto">${withEmojis(warning, shown)}</summary>
    ${body}
  </details>`;
}

/** Folds a text with words that the reader filters. */
function filteredView(
  matches: readonly FilterMatch[] | undefined,
  body: Html,
): Html {
  if (!matches) return body;
  const titles = matches.map(({ title }) => title).join(", ");
  return html`<details class="filtered">
    <summary dir="auto">${filterTexts.filtered(titles)}</summary>
    ${body}
  </details>`;
}

export function commentView(
  context: PagesContext,
  comment: Comment,
  { people, mentioned, session, post, ...around }: CommentSurroundings,
): Html {
  const author = people.get(comment.personId);
  const { likes = 0 } = around.likes.get(comment.id) ?? {};
  const isOwn = session?.user.personId === comment.personId;
  const photos = around.photos.get(comment.id) ?? [];
  return html`<article
    class="comment"
    id="${comment.guid}"
    ${around.acting && partAttribute(`/parts/comments/${comment.guid}`)}
  >
    <header class="head">
      ${author && avatarView(author, 48)}
      <div>
        <p class="name">
          ${
            author &&
            html`<a href="${personPath(author)}">${nameView(author)}</a>`
          }
        </p>
        <p class="quiet apart">
          ${author && handleView(author)}
          ${timeView(comment.createdAt, context.clock.now())}
        </p>
      </div>
    </header>
    ${filteredView(
      around.filtered.get(comment.id),
      foldedView(
        comment,
        author,
        html`${textView(context, comment, author, mentioned)}
        ${photosView(context, photos, isOwn)}`,
      ),
    )}
    ${reactionsView(around.reactions.get(comment.id))}
    <footer class="quiet">
      ${likes > 0 && likesView(comment, texts.likes(likes), around.acting)}
      ${
        around.acting &&
        commentActsView(around.acting, comment, author, {
          isLiked: around.liked.get(comment.id) === true,
          post,
        })
      }
      ${reportOf(session, "comment", comment)}
    </footer>
  </article>`;
}

/** The number of likes leads people with an account to their names. */
function likesView(
  { guid }: Comment,
  words: string,
  acting: Acting | undefined,
): Html {
  return acting
    ? html`<a href="/comments/${encodeURIComponent(guid)}/likes">${words}</a>`
    : html`<span>${words}</span>`;
}

/** Users do not report their own comments. */
function reportOf(
  session: Session | undefined,
  kind: "post" | "comment",
  { guid, personId }: Pick<Post, "guid" | "personId">,
): HtmlValue {
  return session?.user.personId === personId
    ? undefined
    : reportLink(session, kind, guid);
}
