import type { Db, Tx } from "../../db/db.ts";
import { forKeyShare } from "../../db/dialect.ts";
import type { Timestamp } from "../../lib/clock.ts";
import type { PostId } from "../ids.ts";

/** What became of the delivery of a post to an inbox. */
export type SettledDelivery = {
  readonly postId: PostId;
  /** The origin of the server. */
  readonly host: string;
  /** Was it taken? Else it was given up. */
  readonly isDelivered: boolean;
};

type Row = {
  post_id: number;
  host: string;
  delivered_at: Timestamp | null;
  failed_at: Timestamp | null;
};

/**
 * Notes them, one row for each post and server. Of a post that is gone nothing is
 * noted: whatever is written in this transaction, it must not fail for that.
 */
export async function saveReceipts(
  db: Db,
  tx: Tx,
  settled: readonly SettledDelivery[],
  now: Timestamp,
): Promise<void> {
  const ids = [...new Set(settled.map(({ postId }) => postId))];
  if (ids.length === 0) return;
  const posts = await tx
    .selectFrom("posts")
    .select("id")
    .where("id", "in", ids)
    .orderBy("id")
    .modifyEnd(forKeyShare(db.dialect))
    .execute();
  const there = new Set<number>(posts.map(({ id }) => id));
  const rows = mergeRows(
    settled.filter(({ postId }) => there.has(postId)),
    now,
  );
  if (rows.length === 0) return;
  await tx
    .insertInto("delivery_receipts")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["post_id", "host"]).doUpdateSet((eb) => ({
        delivered_at: eb.fn.coalesce(
          "excluded.delivered_at",
          "delivery_receipts.delivered_at",
        ),
        failed_at: eb.fn.coalesce(
          "excluded.failed_at",
          "delivery_receipts.failed_at",
        ),
      })),
    )
    .execute();
}

/** A statement may write a row once. In one order, so that two who write the same wait for each other. */
function mergeRows(settled: readonly SettledDelivery[], now: Timestamp): Row[] {
  const rows = new Map<string, Row>();
  for (const { postId, host, isDelivered } of settled) {
    const key = `${postId} ${host}`;
    const row = rows.get(key) ?? {
      post_id: postId,
      host,
      delivered_at: null,
      failed_at: null,
    };
    rows.set(key, {
      ...row,
      ...(isDelivered ? { delivered_at: now } : { failed_at: now }),
    });
  }
  return [...rows.values()].sort(
    (a, b) => a.post_id - b.post_id || (a.host < b.host ? -1 : 1),
  );
}
