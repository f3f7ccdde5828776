import type { FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Comment } from "../../features/comments/index.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import {
  foldedPictureFields,
  NO_PICTURES,
  type DraftPictures,
} from "../kit/components/picture-fields.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  alertView,
  hiddenField,
  scriptedForm,
  textAreaField,
} from "../kit/form-fields.ts";
import { onceField } from "../session/write-once.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { icon, type IconName } from "../kit/icons.ts";
import { detailTexts, pageTexts, scriptTexts } from "../languages/texts.ts";
import { readReturnTarget, signInPath } from "../session/return-target.ts";

const texts = pageTexts.answer;

/** The session that acts on the posts of a page, and the path to return to after each act. */
export type Acting = {
  readonly session: Session;
  readonly to: string;
  /** Why a vote in the poll of the page was not counted. */
  readonly voteFault?: string;
};

/** A comment as it is being written. */
export type CommentDraft = Partial<DraftPictures> & {
  readonly text: string;
  /** The comment that it answers. */
  readonly parentGuid?: string | undefined;
  /** The page that shows the post and gets the comment; else that of the post. */
  readonly to?: string | undefined;
  /** The page that gets the comment in place, where the script asks for its comments. */
  readonly part?: string | undefined;
  readonly fault?: string;
  /** The field that the fault is about, if it is about one. */
  readonly faulty?: "text" | "photo";
};

/** The comment that a form answers, with its author. */
export type Answered = {
  readonly comment: Comment;
  readonly author: Person | undefined;
};

/**
 * Acts lead back to the page as it was requested.
 * @param page its path, where a form was submitted instead
 */
export function actingOn(
  session: Session | undefined,
  request: FastifyRequest,
  page: string,
): Acting | undefined {
  return session && { session, to: pageOf(request, page) };
}

/** The page as it was requested. @param page its path, where a form was submitted instead */
export function pageOf(request: FastifyRequest, page: string): string {
  return request.method === "GET" ? request.url : page;
}

export function postPath(guid: string): string {
  return `/posts/${encodeURIComponent(guid)}`;
}

/** This person's acts on a post. */
type Done = {
  readonly isLiked: boolean;
  readonly isReshared: boolean;
  readonly isBookmarked: boolean;
};

/**
 * Buttons to like, reshare and keep a post, in one form: a page has many of them. One's own is
 * not reshared.
 */
export function postActsView(
  acting: Acting,
  post: Post,
  author: Person | undefined,
  { isLiked, isReshared, isBookmarked }: Done,
): Html {
  const path = postPath(post.guid);
  const about = texts.postBy(author ? displayName(author) : "");
  const isOwn = post.personId === acting.session.user.personId;
  return html`<form method="post" class="acts">
    ${csrfField(acting.session)} ${hiddenField("to", acting.to)}
    ${likeButton(path, isLiked, about, "like")}
    ${
      post.public &&
      !isOwn &&
      actButton({
        action: `${path}/${isReshared ? "unreshare" : "reshare"}`,
        label: isReshared ? texts.unreshare : texts.reshare,
        about: isReshared ? detailTexts.ofIt(about) : about,
        ...{ icon: "reshare", isDone: isReshared },
      })
    }
    ${actButton({
      action: `${path}/${isBookmarked ? "unbookmark" : "bookmark"}`,
      label: isBookmarked ? texts.unbookmark : texts.bookmark,
      about: isBookmarked ? detailTexts.ofIt(about) : about,
      ...{ icon: "bookmark", isDone: isBookmarked },
    })}
    ${isOwn && changeMenu(post, about)}
  </form>`;
}

/** A button to like a comment, and the link to its answer. */
export function commentActsView(
  acting: Acting,
  comment: Comment,
  author: Person | undefined,
  { isLiked, post }: Pick<Done, "isLiked"> & { readonly post: Post },
): HtmlValue {
  const name = author ? displayName(author) : "";
  const about = texts.commentBy(name);
  const guid = encodeURIComponent(comment.guid);
  const by = acting.session.user.personId;
  const isOwn = comment.personId === by;
  const to = withAnchor(acting.to, guid);
  const answer = `${postPath(post.guid)}?answer=${guid}#write`;
  return [
    html`<form method="post">
      ${csrfField(acting.session)} ${hiddenField("to", to)}
      ${likeButton(`/comments/${guid}`, isLiked, about)}
    </form>`,
    html`<a
      href="${answer}"
      rel="nofollow"
      aria-label="${detailTexts.thread.replyTo(name)}"
      >${texts.answer}</a
    >`,
    comment.updatedAt !== comment.createdAt &&
      changeLink(
        `/comments/${guid}/history`,
        detailTexts.history.link,
        detailTexts.ofIt(about),
      ),
    isOwn && changeLink(`/comments/${guid}/edit`, texts.edit, about),
    // The author of a post may delete the comments on it.
    (isOwn || post.personId === by) &&
      changeLink(`/comments/${guid}/delete`, texts.delete, about),
  ];
}

/** Pins one's own post, and links to the forms that edit and delete it. */
function changeMenu(post: Post, about: string): Html {
  const path = postPath(post.guid);
  const isPinned = post.pinnedAt !== null;
  return html`<details>
    <summary aria-label="${texts.more}: ${about}">${icon("more")}</summary>
    <div class="menu">
      <button class="plain" formaction="${path}/${isPinned ? "unpin" : "pin"}">
        ${isPinned ? texts.unpin : texts.pin}
      </button>
      ${changeLink(`${path}/edit`, texts.edit, about)}
      ${changeLink(`${path}/delete`, texts.delete, about)}
    </div>
  </details>`;
}

function changeLink(path: string, label: string, about: string): Html {
  return html`<a href="${path}" aria-label="${label} ${about}">${label}</a>`;
}

/** The page to which an act on a post leads back: at the post, unless it says where. */
export function backToPost(to: string | undefined, guid: string): string {
  const page = readReturnTarget(to);
  return page.includes("#") || page.startsWith("/parts/")
    ? page
    : withAnchor(page, `post-${encodeURIComponent(guid)}`);
}

/** The forms of a post in its own place: the server adds the anchor itself. */
export function withoutAnchor(acting: Acting, { guid }: Post): Acting {
  const [page = "", anchor] = acting.to.split("#");
  const isOwn = anchor === `post-${encodeURIComponent(guid)}`;
  return isOwn ? { ...acting, to: page } : acting;
}

/** The same page, at one of its elements. */
export function withAnchor(page: string, id: string): string {
  return `${page.split("#", 1)[0] ?? ""}#${id}`;
}

type ActButton = {
  /** The path of the act. */
  readonly action: string;
  readonly label: string;
  /** The object, for screen readers: a page has many such buttons. */
  readonly about: string;
  readonly isDone: boolean;
  /** Without one the button is its words alone. */
  readonly icon?: IconName;
};

/** A button of a form that has several. */
function actButton({
  action,
  label,
  about,
  isDone,
  icon: name,
}: ActButton): Html {
  return html`<button
    class="${isDone ? "plain done" : "plain"}"
    formaction="${action}"
    aria-label="${label} ${about}"
  >
    ${name && icon(name)}<span class="word">${label}</span>
  </button>`;
}

function likeButton(
  path: string,
  isLiked: boolean,
  about: string,
  icon?: IconName,
): Html {
  return actButton({
    action: `${path}/${isLiked ? "unlike" : "like"}`,
    label: isLiked ? texts.unlike : texts.like,
    ...{ about, isDone: isLiked, ...(icon && { icon }) },
  });
}

/** The form to comment on a post; for visitors the way to it. */
export function writeCommentView(
  session: Session | undefined,
  post: Post,
  { text, fault, faulty, to, ...given }: CommentDraft,
  answered: Answered | undefined,
): Html {
  const path = postPath(post.guid);
  if (!session)
    return html`<p>
      <a href="${signInPath(to ?? path)}" rel="nofollow">${texts.signIn}</a>
    </p>`;
  return html`<form
    method="post"
    action="${path}/comments"
    class="stacked write"
    id="write"
    enctype="multipart/form-data"
    ${scriptedForm(session, path)}
    data-sent="${scriptTexts.sent}"
  >
    ${csrfField(session)} ${onceField()}
    ${alertView(fault === undefined ? [] : [fault])}
    ${answered && answeredView(path, answered)}
    ${to !== undefined && hiddenField("to", to)}
    ${textAreaField("text", text, {
      ...{ label: texts.text, hint: commentReach(post), rows: 3 },
      fault: faulty === "text" ? fault : undefined,
    })}
    ${foldedPictureFields(
      { ...NO_PICTURES, ...given },
      faulty === "photo" ? fault : undefined,
    )}
    <p class="actions"><button>${texts.send}</button></p>
  </form>`;
}

/** The readers of a comment on a post, in words. */
export function commentReach(
  post: Pick<Post, "public" | "listed" | "limitedTo">,
): string {
  const words = detailTexts.commentReach;
  if (post.public) return post.listed ? words.everyone : words.unlisted;
  return post.limitedTo === "self" ? words.self : words.limited;
}

function answeredView(path: string, { comment, author }: Answered): Html {
  const name = author ? displayName(author) : "";
  return html`${hiddenField("answer", comment.guid)}
    <p>
      ${texts.inAnswerTo}
      <a href="#${encodeURIComponent(comment.guid)}"><bdi>${name}</bdi></a>
      <a class="quiet" href="${path}#write">${texts.onPost}</a>
    </p>`;
}
