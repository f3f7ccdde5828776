import type { Viewer } from "../visibility/index.ts";
import type { Reader } from "../../db/db.ts";
import type { Fact } from "../facts.ts";
import type { Author, PostKey } from "../posts/index.ts";
import type { QuotesDeps } from "./deps.ts";
import type { PostId } from "../ids.ts";
import { findQuote, listByAuthorization, listQuotes } from "./quote-queries.ts";
import { quotePost } from "./quote-post.ts";
import type { Quote, ReceivedQuote, ShownQuote } from "./quote.ts";
import {
  attachReceived,
  offerLeave,
  receiveQuoteChange,
} from "./receive-quote.ts";
import { revokeAfter, revokeLeave, settleQuote } from "./settle-quote.ts";

export type { Quote, QuoteState, ShownQuote } from "./quote.ts";
export { CHECK_QUOTE, type CheckQuote } from "./receive-quote.ts";

/** Posts that quote others, and whether they may show what they quote. */
export type Quotes = ReturnType<typeof createQuotes>;

export function createQuotes(deps: QuotesDeps) {
  const { db } = deps;
  return {
    /**
     * What stores with a new post that it quotes another one.
     * @throws {KithError} `not_found`, `bad_request`
     */
    quote: (author: Author, key: PostKey) => quotePost(deps, author, key),
    /** The same, of a post from elsewhere. */
    attach: (received: ReceivedQuote, isFetched?: boolean) =>
      attachReceived(deps, received, isFetched),
    /** What a post from elsewhere says now that it quotes. */
    receiveChange: (postId: PostId, received: ReceivedQuote | undefined) =>
      receiveQuoteChange(deps, postId, received),
    /** Somebody says where the leave for a quote is to be had. */
    offerLeave: (quote: Quote, authorizationUri: string) =>
      offerLeave(deps, quote, authorizationUri),
    /** What became of it. @returns false where it was changed meanwhile */
    settle: (
      quote: Quote,
      settled: Partial<
        Pick<Quote, "state" | "quotedGuid" | "authorizationUri">
      >,
    ) => settleQuote(deps, quote, settled),
    /** @returns the posts that quoted by this leave */
    revokeLeave: (
      authorizationUri: string,
      isAllowed: (quote: Quote) => Promise<boolean>,
    ) => revokeLeave(deps, authorizationUri, isAllowed),
    /** Ends what may not be quoted any more after this. */
    revokeAfter: (fact: Fact) => revokeAfter(deps, fact),
    /** For jobs and federation, never for an answer. */
    find: (postId: PostId, reader: Reader = db.read) =>
      findQuote(reader, postId),
    /** For jobs and federation, never for an answer. */
    listByAuthorization: (uri: string, limit: number) =>
      listByAuthorization(db.read, uri, limit),
    /** What posts quote that the caller has found visible, as far as the viewer may see that as well, and wants to. */
    listShown: (postIds: readonly PostId[], viewer: Viewer) =>
      listShown(deps, postIds, viewer),
  };
}

async function listShown(
  { db, posts }: QuotesDeps,
  postIds: readonly PostId[],
  viewer: Viewer,
): Promise<Map<PostId, ShownQuote>> {
  const quotes = await listQuotes(db.read, postIds);
  const guids = quotes.flatMap(({ quotedGuid }) => quotedGuid ?? []);
  const quoted = await posts.listWelcome(guids, viewer);
  return new Map(
    quotes.flatMap(({ postId, quotedGuid, state }) => {
      const post = quoted.get(quotedGuid ?? "");
      return post ? [[postId, { state, post }] as const] : [];
    }),
  );
}
