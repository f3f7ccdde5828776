import type { Db } from "../db/db.ts";
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
    await db.transaction(async (tx) => {
      for (const { document, deliveries } of filled) {
        const documentId = await jobs.addDocument(tx, document);
        for (const { lane, ...payload } of deliveries)
          await jobs.enqueue(tx, DELIVER, payload, {
            documentId,
            lane: `deliver:${lane}`,
            host: new URL(payload.url).origin,
          });
      }
    });
  };
}
