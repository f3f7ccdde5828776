import type { Timestamp } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import type { Post } from "../posts/index.ts";

/**
 * May a post show its quote? `pending`: not checked yet, or the quoted author has not
 * replied. `rejected`: not allowed. `revoked`: no longer allowed.
 */
export type QuoteState = "pending" | "accepted" | "rejected" | "revoked";

/** A post's quote of another post. */
export type Quote = {
  /** The quoting post. */
  readonly postId: PostId;
  /** ActivityPub id of the quoted post; null if it has none, or is local. */
  readonly quotedUri: string | null;
  /** Guid of the quoted post, once it is known here. */
  readonly quotedGuid: string | null;
  readonly state: QuoteState;
  /** Where the authorization is found; not verified yet while the quote is pending. */
  readonly authorizationUri: string | null;
  readonly changedAt: Timestamp;
};

/** A quote that the reader may see, with the quoted post. */
export type ShownQuote = { readonly state: QuoteState; readonly post: Post };

/** The quote of a remote post, as received. */
export type ReceivedQuote = {
  readonly uri: string;
  readonly authorizationUri: string | null;
};
