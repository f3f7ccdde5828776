import type { Session } from "../../features/accounts/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { detailTexts as texts } from "../languages/texts.ts";
import { openNoticesPath } from "../session/places.ts";
import type { PagesContext } from "../session/visitor.ts";
import { postPath, type Acting } from "./act-view.ts";
import type { CommentedPost } from "./comments-view.ts";

/**
 * Links to the pages about a post, and the button that mutes its conversation. They are for
 * people with an account.
 */
export async function detailLinksView(
  { threads }: Pick<PagesContext, "threads">,
  { acting, post }: CommentedPost,
): Promise<HtmlValue> {
  if (!acting || post.type === "reshare") return undefined;
  const { user } = acting.session;
  const muted = await threads.listMuted(user.userId, [post.id]);
  const isMuted = muted.length > 0;
  const path = postPath(post.guid);
  return html`<nav class="details" aria-label="${texts.links}">
      <a href="${path}/likes">${texts.reception.link}</a>
      ${
        post.updatedAt !== post.createdAt &&
        html`<a href="${path}/history">${texts.history.link}</a>`
      }
      ${
        post.personId === user.personId &&
        html`<a href="${path}/deliveries">${texts.deliveries.link}</a>`
      }
      ${muteForm(acting, path, isMuted)}
    </nav>
    ${isMuted && html`<p class="quiet">${texts.muted}</p>`}`;
}

function muteForm(
  { session, to }: Acting,
  path: string,
  isMuted: boolean,
): Html {
  return html`<form
    method="post"
    action="${path}/${isMuted ? "unmute" : "mute"}"
  >
    ${csrfField(session)} ${hiddenField("to", to)}
    <button class="plain">${isMuted ? texts.unmute : texts.mute}</button>
  </form>`;
}

/** As many notifications are marked as read at once. */
const MOST = 20;

/** Leads to the first of the comments of which the user has not read the notifications. */
export async function unreadCommentsLink(
  { notifications }: Pick<PagesContext, "notifications">,
  session: Session | undefined,
  post: Pick<Post, "id">,
): Promise<HtmlValue> {
  if (!session) return undefined;
  const unread = await notifications.listUnreadComments(
    session.user,
    post.id,
    MOST,
  );
  const [first] = unread;
  if (!first) return undefined;
  const ids = unread.map(({ id }) => id);
  const to = `/comments/${encodeURIComponent(first.shareableGuid)}`;
  return html`<p>
    <a href="${openNoticesPath(ids, to)}"
      >${texts.thread.unread(unread.length)}</a
    >
  </p>`;
}
