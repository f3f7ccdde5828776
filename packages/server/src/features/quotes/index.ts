import type { Viewer } from "../visibility/index.ts";
import type { Reader } from "../../db/db.ts";
import type { Page } from "../page.ts";
import type { Fact } from "../facts.ts";
import type { Author, Post, PostKey } from "../posts/index.ts";
import { findUsualChoices } from "../texts/index.ts";
import type { QuotesDeps } from "./deps.ts";
import type { PersonId, PostId, UserId } from "../ids.ts";
import {
  findQuote,
  isQuotableBy,
  isRevoked,
  isRevokedHere,
  listByAuthorization,
  listQuotes,
  listQuotesHere,
} from "./quote-queries.ts";
import { checkQuote, quotePost } from "./quote-post.ts";
import { countQuoting, listQuoting } from "./quoting-queries.ts";
import type { Quote, ReceivedQuote, ShownQuote } from "./quote.ts";
import {
  attachReceived,
  offerLeave,
  receiveQuoteChange,
} from "./receive-quote.ts";
import {
  revokeAfter,
  revokeLeave,
  revokeQuote,
  settleQuote,
} from "./settle-quote.ts";

export type { Quote, QuoteState, ShownQuote } from "./quote.ts";
export { CHECK_QUOTE, type CheckQuote } from "./receive-quote.ts";

/** Posts that quote others, and whether they may show the quoted post. */
export type Quotes = ReturnType<typeof createQuotes>;

export function createQuotes(deps: QuotesDeps) {
  const { db } = deps;
  return {
    /**
     * Builds the callback that checks the quote before its new post is written, and stores it
     * with that. The callback throws `not_found` and `bad_request`.
     */
    quote: (author: Author, key: PostKey) => quotePost(deps, author, key),
    /** May the author quote that post now? @throws {KithError} `not_found`, `bad_request` */
    check: async (author: Author, key: PostKey, reader: Reader = db.read) => {
      await checkQuote(deps, reader, author, key);
    },
    /** Does the policy of a local author's post let this person quote it? */
    isQuotableBy: (
      authorUserId: UserId,
      policy: Post["quotableBy"],
      personId: PersonId,
    ) => isQuotableBy(db.read, authorUserId, policy, personId),
    /** The policy for what a local author writes without choosing one, as comments. */
    findUsualPolicy: async (authorUserId: UserId) =>
      (await findUsualChoices(db.read, authorUserId)).quotableBy,
    /** Was the post's quote of a local post revoked? That stays. */
    isRevokedHere: (postId: PostId) => isRevokedHere(db.read, postId),
    /** Did the author of a local post revoke its quote by the remote post with this id? */
    isRevoked: (quotedGuid: string, quotingUri: string) =>
      isRevoked(db.read, quotedGuid, quotingUri),
    /**
     * Revokes the quote of a post of the user by another one, for good.
     * @throws {KithError} `not_found` where there is no such quote, or it is over
     */
    revoke: (user: Author, quoted: PostKey, quoting: PostKey) =>
      revokeQuote(deps, user, quoted, quoting),
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
    /**
     * One page of the posts that show a quote of this post to the viewer, newest first. The
     * caller has found that post visible.
     */
    listQuoting: (quotedGuid: string, viewer: Viewer, page: Page) =>
      listQuoting(db.read, quotedGuid, viewer, page),
    /** The posts by people here that show a quote of this post, for notifications. */
    listHere: (quotedGuid: string) => listQuotesHere(db.read, quotedGuid),
    /** How many there are, by the Guid of the quoted post. */
    countQuoting: (quotedGuids: readonly string[], viewer: Viewer) =>
      countQuoting(db.read, quotedGuids, viewer),
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
