import type { Db, Tx } from "../db/db.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { DELIVER } from "./delivery/deliver.ts";
import type { Dispatch } from "./outgoing.ts";

/** Puts rendered documents into the queue: all of them, or none. */
export type Dispatcher = (dispatches: readonly Dispatch[]) => Promise<void>;

export function createDispatcher({
  db,
  jobs,
}: {
  db: Db;
  jobs: Jobs;
}): Dispatcher {
  return async (dispatches) => {
    const filled = dispatches.filter(({ deliveries }) => deliveries.length > 0);
    if (filled.length === 0) return;
    await db.transaction((tx) => putInQueue(tx, jobs, filled));
  };
}

/** The same with the caller's own transaction. */
export async function putInQueue(
  tx: Tx,
  jobs: Jobs,
  dispatches: readonly Dispatch[],
): Promise<void> {
  for (const { document, deliveries, postId } of dispatches) {
    if (deliveries.length === 0) continue;
    const documentId = await jobs.addDocument(tx, document, postId);
    for (const { lane, ...delivery } of deliveries) {
      const payload = { ...delivery, ...(postId !== undefined && { postId }) };
      await jobs.enqueue(tx, DELIVER, payload, {
        documentId,
        lane: `deliver:${lane}`,
        host: new URL(payload.url).origin,
      });
    }
  }
}
