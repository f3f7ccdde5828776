import type { Tx } from "../../db/db.ts";
import { isListedText } from "../../db/prepared-query.ts";
import type { PostId } from "../ids.ts";
import type { Quote, QuoteState } from "./quote.ts";

/** A post has one quote: saving replaces the previous one. */
export async function saveQuote(tx: Tx, quote: Quote): Promise<void> {
  const columns = {
    quoted_uri: quote.quotedUri,
    quoted_guid: quote.quotedGuid,
    state: quote.state,
    authorization_uri: quote.authorizationUri,
    changed_at: quote.changedAt,
  };
  await tx
    .insertInto("quotes")
    .values({ post_id: quote.postId, ...columns })
    .onConflict((conflict) => conflict.column("post_id").doUpdateSet(columns))
    .execute();
}

/**
 * Changes a quote unless it has changed since it was read.
 * @returns false if it was changed concurrently; nothing is stored then
 */
export async function changeQuote(
  tx: Tx,
  before: Quote,
  change: Partial<Omit<Quote, "postId">> & Pick<Quote, "changedAt">,
): Promise<boolean> {
  const now = { ...before, ...change };
  const { numUpdatedRows } = await tx
    .updateTable("quotes")
    .set({
      quoted_guid: now.quotedGuid,
      state: now.state,
      authorization_uri: now.authorizationUri,
      changed_at: now.changedAt,
    })
    .where("post_id", "=", before.postId)
    .where("state", "=", before.state)
    .where("quoted_uri", "is not distinct from", before.quotedUri)
    .where("authorization_uri", "is not distinct from", before.authorizationUri)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteQuote(tx: Tx, postId: PostId): Promise<void> {
  await tx.deleteFrom("quotes").where("post_id", "=", postId).execute();
}

/** Notes that a remote post quotes the local one no longer, whatever its server says. */
export async function insertRevoked(
  tx: Tx,
  quotedPostId: PostId,
  quotingUri: string,
  revokedAt: Quote["changedAt"],
): Promise<void> {
  await tx
    .insertInto("revoked_quotes")
    .values({
      quoted_post_id: quotedPostId,
      quoting_uri: quotingUri,
      revoked_at: revokedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const MAY_END: readonly QuoteState[] = ["pending", "accepted"];

/**
 * Marks quotes as revoked.
 * @returns the posts whose quotes were pending or accepted before
 */
export async function revokeQuotes(
  tx: Tx,
  postIds: readonly PostId[],
  changedAt: Quote["changedAt"],
): Promise<PostId[]> {
  if (postIds.length === 0) return [];
  const rows = await tx
    .updateTable("quotes")
    .set({ state: "revoked", changed_at: changedAt })
    .where("post_id", "in", postIds)
    .where("state", "in", MAY_END)
    .returning("post_id")
    .execute();
  return rows.map(({ post_id: id }) => id);
}

/** @returns some of the posts that quote one of these, with the quote accepted or pending */
export async function listQuotersOf(
  tx: Tx,
  guids: readonly string[],
  limit: number,
): Promise<PostId[]> {
  const rows = await tx
    .selectFrom("quotes")
    .select("post_id")
    .where(isListedText(tx, "quoted_guid", JSON.stringify(guids)))
    .where("state", "in", MAY_END)
    .orderBy("post_id")
    .limit(limit)
    .execute();
  return rows.map(({ post_id: id }) => id);
}
