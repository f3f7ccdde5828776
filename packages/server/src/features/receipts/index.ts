import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import { listReceipts, type ReceiptPage } from "./receipt-queries.ts";
import { saveReceipts, type SettledDelivery } from "./receipt-store.ts";

export type { Receipt } from "./receipt-queries.ts";
export type { SettledDelivery } from "./receipt-store.ts";

/**
 * The servers that local people's posts were delivered to. For their authors and admins
 * alone.
 */
export type Receipts = ReturnType<typeof createReceipts>;

export function createReceipts({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}) {
  return {
    /** In the transaction that settles the deliveries. Ignores deleted posts. */
    note: (tx: Tx, settled: readonly SettledDelivery[]): Promise<void> =>
      saveReceipts(db, tx, settled, timestamp(clock.now())),
    /**
     * The recipient servers of a post, by name. The caller has checked the reader's
     * permission.
     */
    list: (postId: PostId, page: ReceiptPage) =>
      listReceipts(db.read, postId, page),
  };
}
