import type { Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { jobKind } from "../../jobs/job.ts";
import type { PostId } from "../ids.ts";
import type { Attach } from "../posts/index.ts";
import type { QuotesDeps } from "./deps.ts";
import { findQuote, isRevokedHere } from "./quote-queries.ts";
import { changeQuote, deleteQuote, saveQuote } from "./quote-store.ts";
import type { Quote, ReceivedQuote } from "./quote.ts";

/** The payload of a check. */
export type CheckQuote = {
  readonly postId: PostId;
  /** The quoting post was itself fetched as a quoted post: its own quote is not fetched. */
  readonly isFetched?: boolean;
};

/** The job that finds out whether a quote may be shown. */
export const CHECK_QUOTE = jobKind<CheckQuote>("check-quote");

/**
 * Builds the callback that stores a quote with its remote post. A job checks the quote
 * later.
 */
export function attachReceived(
  deps: QuotesDeps,
  received: ReceivedQuote,
  isFetched = false,
): Attach {
  return (tx, postId) => saveReceived(deps, tx, postId, received, isFetched);
}

async function saveReceived(
  deps: QuotesDeps,
  tx: Tx,
  postId: PostId,
  { uri, authorizationUri }: ReceivedQuote,
  isFetched = false,
): Promise<void> {
  await saveQuote(tx, {
    postId,
    quotedUri: uri,
    quotedGuid: null,
    state: "pending",
    authorizationUri,
    changedAt: timestamp(deps.clock.now()),
  });
  const check = { postId, ...(isFetched && { isFetched }) };
  await enqueueCheck(deps, tx, check, authorizationUri ?? uri);
}

/** One lane per origin: a server that does not respond delays no checks at others. */
async function enqueueCheck(
  { jobs }: QuotesDeps,
  tx: Tx,
  check: CheckQuote,
  asked: string,
): Promise<void> {
  const lane = `${CHECK_QUOTE.name}:${URL.parse(asked)?.origin ?? ""}`;
  await jobs.enqueue(tx, CHECK_QUOTE, check, { lane: lane.slice(0, 300) });
}

/** Applies a change of a remote post's quote. An unchanged quote changes nothing. */
export async function receiveQuoteChange(
  deps: QuotesDeps,
  postId: PostId,
  received: ReceivedQuote | undefined,
): Promise<void> {
  const seen = await findQuote(deps.db.read, postId);
  if (!seen && !received) return;
  await deps.db.transaction(async (tx) => {
    const known = await findQuote(tx, postId);
    if (known && (await isRevokedHere(tx, known.postId)))
      if (known.quotedUri === received?.uri) return;
    if (!received) return deleteQuote(tx, postId);
    const isSame =
      known?.quotedUri === received.uri &&
      known.authorizationUri === received.authorizationUri;
    if (!isSame) await saveReceived(deps, tx, postId, received);
  });
}

/** Records an authorization that was or may have been granted, and enqueues its check. */
export async function offerLeave(
  deps: QuotesDeps,
  quote: Quote,
  authorizationUri: string,
): Promise<void> {
  const isKnown = quote.authorizationUri === authorizationUri;
  // A revoked authorization never becomes valid again.
  if (isKnown && quote.state !== "pending") return;
  const changedAt = timestamp(deps.clock.now());
  await deps.db.transaction(async (tx) => {
    const change = { state: "pending", authorizationUri, changedAt } as const;
    if (await changeQuote(tx, quote, change))
      await enqueueCheck(deps, tx, { postId: quote.postId }, authorizationUri);
  });
}
