import { escapeHtml } from "../../../lib/html/html-cleaner.ts";
import type { QuotedPost } from "../../outbound/content.ts";
import { findQuotedPage, withQuoted } from "../../quoted.ts";
import type { Uris } from "../records/uris.ts";

/** The quote of a local post, as its Note declares it. */
export type RenderedQuote = {
  /** The members of the Note; none where the quote is a mere link. */
  readonly members: {
    readonly quote?: string;
    readonly quoteAuthorization?: string;
  };
  /** Adds the link to the text, where it belongs to the author's own words. */
  readonly withLink: (text: string) => string;
  /** The link for readers without quotes; software with quotes hides it. */
  readonly fallbackHtml: string;
};

const NO_QUOTE: RenderedQuote = {
  members: {},
  withLink: (text) => text,
  fallbackHtml: "",
};

/**
 * A quote that was refused or revoked is sent as a mere link, and so is the quote of an object
 * without an ActivityPub id. A pending one is declared: its readers look for the authorization.
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
      // The authorization of a pending quote has not been verified.
      ...(state === "accepted" &&
        authorizationUri !== null && { quoteAuthorization: authorizationUri }),
    },
    fallbackHtml: `<p class="quote-inline">RE: <a href="${href}">${href}</a></p>`,
  };
}
