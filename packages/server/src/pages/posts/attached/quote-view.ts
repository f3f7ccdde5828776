import type { Person } from "../../../features/people/index.ts";
import type { ShownQuote } from "../../../features/quotes/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { actForm, hiddenField } from "../../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../../kit/html.ts";
import { nameView, personPath } from "../../kit/person-view.ts";
import type { Acting } from "../act-view.ts";
import { renderPostText, type Mentioned } from "../post-text.ts";
import { pageTexts } from "../../languages/texts.ts";
import { timeView } from "../../kit/time-view.ts";
import type { PagesContext } from "../../session/visitor.ts";

const texts = pageTexts.post;

/** The button by which the quoted author ends the quote. */
export function revokeQuoteView(
  { session, to }: Acting,
  { post: quoted, state }: ShownQuote,
  quoting: Post,
): HtmlValue {
  const { personId } = session.user;
  const isEnded = state === "rejected" || state === "revoked";
  if (quoted.personId !== personId || quoting.personId === personId || isEnded)
    return undefined;
  return actForm(
    session,
    `/posts/${encodeURIComponent(quoting.guid)}/revoke_quote`,
    [hiddenField("to", to), hiddenField("quoted", quoted.guid)],
    texts.revokeQuote,
  );
}

/**
 * A quoted post: its text, if its author permits quotes, or else its address.
 */
export function quoteView(
  context: PagesContext,
  { state, post }: ShownQuote,
  author: Person | undefined,
  mentioned: Mentioned,
): Html {
  const path = `/posts/${encodeURIComponent(post.guid)}`;
  if (state !== "accepted")
    return html`<p class="quiet">
      <a href="${path}">${texts.quotedLink}</a> ${texts.quoteStates[state]}
    </p>`;
  const body = html`<div class="text" dir="auto">
    ${renderPostText(context, post.text, mentioned)}
  </div>`;
  const { nsfw, warning } = post;
  const isShielded = author?.profile.nsfw === true || nsfw || warning !== null;
  return html`<blockquote class="quoted">
    <p class="quiet apart">
      ${author && html`<a href="${personPath(author)}">${nameView(author)}</a>`}
      <a href="${path}">${timeView(post.createdAt, context.clock.now())}</a>
    </p>
    ${
      isShielded
        ? html`<details>
            <summary dir="auto">${warning ?? texts.nsfw}</summary>
            ${body}
          </details>`
        : body
    }
  </blockquote>`;
}
