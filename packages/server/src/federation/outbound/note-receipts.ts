import type { Tx } from "../../db/db.ts";
import type { PostId } from "../../features/ids.ts";
import type {
  Receipts,
  SettledDelivery,
} from "../../features/receipts/index.ts";
import type { OnSettled, SettledJob } from "../../jobs/job.ts";
import { DELIVER } from "../delivery/deliver.ts";

/** Records the results of post deliveries. */
export function createNoteReceipts({
  receipts,
}: {
  readonly receipts: Receipts;
}): OnSettled {
  return async (tx: Tx, settled: readonly SettledJob[]) => {
    const deliveries = settled.flatMap(readDelivery);
    if (deliveries.length > 0) await receipts.note(tx, deliveries);
  };
}

function readDelivery(job: SettledJob): SettledDelivery[] {
  if (job.kind !== DELIVER.name || job.host === null) return [];
  const { postId } = job.payload as { postId?: PostId };
  if (postId === undefined) return [];
  return [{ postId, host: job.host, isDelivered: job.isDone }];
}
