import { escapeHtml } from "../../../lib/html/html-cleaner.ts";
import type { QuotedPost } from "../../outbound/content.ts";
import { findQuotedPage, withQuoted } from "../../quoted.ts";
import type { Uris } from "../records/uris.ts";

/** What a post of ours quotes, as its Note says it. */
export type RenderedQuote = {
  /** The members of the Note; none where it is a mere link. */
  readonly members: {
    readonly quote?: string;
    readonly quoteAuthorization?: string;
  };
  /** Adds the link, as far as it belongs to what the author says. */
  readonly withLink: (text: string) => string;
  /** The link for those who know no quotes; who knows them hides it. */
  readonly fallbackHtml: string;
};

const NO_QUOTE: RenderedQuote = {
  members: {},
  withLink: (text) => text,
  fallbackHtml: "",
};

/**
 * A quote that is refused, or taken back, goes on as a mere link, and so does one of what
 * has no ActivityPub id. One that nobody has answered yet is named: its readers look for
 * the leave.
 */
export function renderQuote(
  uris: Uris,
  quoted: QuotedPost | null,
): RenderedQuote {
  if (!quoted) return NO_QUOTE;
  const { quote, post, author } = quoted;
  const page = findQuotedPage(uris.baseUrl, post);
  const id = uris.ofPost(post, author);
  const isNamed = quote.state === "pending" || quote.state === "accepted";
  if (id === null || !isNamed)
    return { ...NO_QUOTE, withLink: (text) => withQuoted(text, page) };
  const { state, authorizationUri } = quote;
  const href = escapeHtml(page);
  return {
    ...NO_QUOTE,
    members: {
      quote: id,
      // What a pending one names nobody has looked at.
      ...(state === "accepted" &&
        authorizationUri !== null && { quoteAuthorization: authorizationUri }),
    },
    fallbackHtml: `<p class="quote-inline">RE: <a href="${href}">${href}</a></p>`,
  };
}
