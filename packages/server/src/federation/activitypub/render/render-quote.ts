import { escapeHtml } from "../../../lib/html/html-cleaner.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import { findQuotedPage, withQuoted } from "../../quoted.ts";
import type { Uris } from "../records/uris.ts";

export type RenderQuoteDeps = {
  readonly people: Pick<People, "find">;
  readonly posts: Pick<Posts, "find">;
  readonly quotes: Pick<Quotes, "find">;
  readonly uris: Uris;
};

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
export async function renderQuote(
  deps: RenderQuoteDeps,
  post: Pick<Post, "id">,
): Promise<RenderedQuote> {
  const { people, posts, quotes, uris } = deps;
  const quote = await quotes.find(post.id);
  const { quotedGuid = null } = quote ?? {};
  const quoted =
    quotedGuid === null ? undefined : await posts.find({ guid: quotedGuid });
  const author = quoted && (await people.find({ id: quoted.personId }));
  if (!quote || !quoted || !author) return NO_QUOTE;
  const page = findQuotedPage(uris.baseUrl, quoted);
  const id = uris.ofPost(quoted, author);
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

/** May this person know what a post quotes, and by whose hand? */
export async function isReaderOf(
  { posts }: { readonly posts: Pick<Posts, "findVisible"> },
  post: Pick<Post, "id">,
  { id: personId }: Person,
): Promise<boolean> {
  const viewer = { personId, userId: null };
  return (await posts.findVisible({ id: post.id }, viewer)) !== undefined;
}
