import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import { listReceipts, type ReceiptPage } from "./receipt-queries.ts";
import { saveReceipts, type SettledDelivery } from "./receipt-store.ts";

export type { Receipt } from "./receipt-queries.ts";
export type { SettledDelivery } from "./receipt-store.ts";

/** To which servers posts of people here went. For their authors and operators alone. */
export type Receipts = ReturnType<typeof createReceipts>;

export function createReceipts({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}) {
  return {
    /** In the transaction that settles the deliveries. Of posts that are gone nothing is noted. */
    note: (tx: Tx, settled: readonly SettledDelivery[]): Promise<void> =>
      saveReceipts(db, tx, settled, timestamp(clock.now())),
    /** Servers that have the post or are to get it, by name. Whoever asks has been checked. */
    list: (postId: PostId, page: ReceiptPage) =>
      listReceipts(db.read, postId, page),
  };
}
