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

/** Posts that quote others, and whether they may show the quoted post. */
export type Quotes = ReturnType<typeof createQuotes>;

export function createQuotes(deps: QuotesDeps) {
  const { db } = deps;
  return {
    /**
     * Builds the callback that stores the quote with its new post.
     * @throws {KithError} `not_found`, `bad_request`
     */
    quote: (author: Author, key: PostKey) => quotePost(deps, author, key),
    /** The same for a remote post. */
    attach: (received: ReceivedQuote, isFetched?: boolean) =>
      attachReceived(deps, received, isFetched),
    /** Applies a change of a remote post's quote. */
    receiveChange: (postId: PostId, received: ReceivedQuote | undefined) =>
      receiveQuoteChange(deps, postId, received),
    /** Records where an authorization is said to be found, and checks it in a job. */
    offerLeave: (quote: Quote, authorizationUri: string) =>
      offerLeave(deps, quote, authorizationUri),
    /** Stores the result of a check. @returns false if the quote was changed concurrently */
    settle: (
      quote: Quote,
      settled: Partial<
        Pick<Quote, "state" | "quotedGuid" | "authorizationUri">
      >,
    ) => settleQuote(deps, quote, settled),
    /** @returns the posts whose quotes used this authorization */
    revokeLeave: (
      authorizationUri: string,
      isAllowed: (quote: Quote) => Promise<boolean>,
    ) => revokeLeave(deps, authorizationUri, isAllowed),
    /** Revokes the quotes that are no longer allowed after this fact. */
    revokeAfter: (fact: Fact) => revokeAfter(deps, fact),
    /** For jobs and federation, never for a response. */
    find: (postId: PostId, reader: Reader = db.read) =>
      findQuote(reader, postId),
    /** For jobs and federation, never for a response. */
    listByAuthorization: (uri: string, limit: number) =>
      listByAuthorization(db.read, uri, limit),
    /**
     * The quotes of posts that the caller has found visible. Omits quoted posts that the
     * viewer may not see, or has hidden by a block or ignore.
     */
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
