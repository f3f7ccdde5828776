import type { Db, Tx } from "../db/db.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Clock } from "../lib/clock.ts";
import { DELIVER } from "./delivery/deliver.ts";
import { listStanding, type Standing } from "./delivery/standing.ts";
import type { Delivery, Dispatch } from "./outgoing.ts";

/** Puts rendered documents into the queue: all of them, or none. */
export type Dispatcher = (dispatches: readonly Dispatch[]) => Promise<void>;

export type DispatchDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
};

export function createDispatcher(deps: DispatchDeps): Dispatcher {
  return async (dispatches) => {
    const filled = dispatches.filter(({ deliveries }) => deliveries.length > 0);
    if (filled.length === 0) return;
    await deps.db.transaction((tx) => putInQueue(deps, tx, filled));
  };
}

/** The same with the caller's own transaction. */
export async function putInQueue(
  deps: DispatchDeps,
  tx: Tx,
  dispatches: readonly Dispatch[],
): Promise<void> {
  const urls = dispatches.flatMap(({ deliveries }) =>
    deliveries.map(({ url }) => url),
  );
  const standing = await listStanding(deps, tx, urls);
  for (const { document, deliveries, ...about } of dispatches) {
    const { postId } = about;
    const wanted = deliveries.filter(({ url }) => !standing.isGone(url));
    if (wanted.length === 0) continue;
    const documentId = await deps.jobs.addDocument(tx, document, postId);
    const bySender = Map.groupBy(wanted, (one) => one.senderUserId);
    for (const [sender, ofSender] of bySender) {
      const many = ofSender.map((one) => ({
        payload: { ...toPayload(one), ...about },
        options: { documentId, ...toOptions(one, standing) },
      }));
      // What the server itself says shares one turn as well.
      await deps.jobs.enqueueAll(tx, DELIVER, sender ?? 0, many);
    }
  }
}

function toPayload({ lane: _, ...payload }: Delivery) {
  return payload;
}

function toOptions({ lane, url }: Delivery, standing: Standing) {
  const host = new URL(url).origin;
  const runAt = standing.heldUntil(host);
  return { lane: `deliver:${lane}`, host, ...(runAt && { runAt }) };
}
