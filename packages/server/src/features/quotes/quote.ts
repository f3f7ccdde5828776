import type { Timestamp } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import type { Post } from "../posts/index.ts";

/**
 * May a post show what it quotes? `pending`: the author of that has not said so, or it
 * was not looked at yet. `rejected`: not allowed. `revoked`: allowed no longer.
 */
export type QuoteState = "pending" | "accepted" | "rejected" | "revoked";

/** That a post quotes another one. */
export type Quote = {
  /** The post that quotes. */
  readonly postId: PostId;
  /** ActivityPub id of what is quoted; null where it has none, or is of this server. */
  readonly quotedUri: string | null;
  /** Guid of the quoted post, once it is known here. */
  readonly quotedGuid: string | null;
  readonly state: QuoteState;
  /** Where the leave to quote is to be had; what a pending one names is not looked at yet. */
  readonly authorizationUri: string | null;
  readonly changedAt: Timestamp;
};

/** A quote as a reader may see it, with the post that is quoted. */
export type ShownQuote = { readonly state: QuoteState; readonly post: Post };

/** What a post from elsewhere says that it quotes. */
export type ReceivedQuote = {
  readonly uri: string;
  readonly authorizationUri: string | null;
};
