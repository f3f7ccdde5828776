import type { Db, Tx } from "../db/db.ts";
import { later, timestamp, type Clock } from "../lib/time/clock.ts";
import { dateDead, deleteOrphans, deleteDead } from "./stores/dead-store.ts";
import type { DroppedJob } from "./stores/queue-administration-store.ts";
import { deleteUnneededDocument } from "./stores/document-store.ts";
import { recurringKind, type JobHandler } from "./job.ts";
import { readPayload } from "./payload.ts";

/** How long a dead job is kept for inspection and manual retry. */
export const DEAD_FOR_DAYS = 30;

export const FORGET_DEAD = recurringKind("forget-dead");

const DAY_MS = 86_400_000;
const EVERY_MS = DAY_MS / 4;
const BATCH_SIZE = 200;

type ForgetDeadDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /**
   * Cleans up after jobs that will never run, in the transaction that removes
   * them.
   */
  readonly onForgotten: (tx: Tx, jobs: readonly DroppedJob[]) => Promise<void>;
};

/**
 * Removes long-dead jobs every few hours, and the documents that no other job
 * needs. They will not be retried, and each may hold a whole post.
 */
export function createForgetDead(
  deps: ForgetDeadDeps,
): JobHandler<Record<string, never>> {
  const { db, clock } = deps;
  return async (_payload, { signal }) => {
    const now = clock.now();
    await db.transaction((tx) => dateDead(tx, timestamp(now)));
    const before = timestamp(later(now, -DEAD_FOR_DAYS * DAY_MS));
    const isFull = (count: number): boolean =>
      count === BATCH_SIZE && !signal.aborted;
    while (isFull(await db.transaction((tx) => forgetBatch(deps, tx, before))));
    const yesterday = timestamp(later(now, -DAY_MS));
    while (
      isFull(
        await db.transaction((tx) => deleteOrphans(tx, yesterday, BATCH_SIZE)),
      )
    );
    return { kind: "again", afterMs: EVERY_MS };
  };
}

async function forgetBatch(
  { db, onForgotten }: ForgetDeadDeps,
  tx: Tx,
  before: string,
): Promise<number> {
  const jobs = await deleteDead(db, tx, before, BATCH_SIZE);
  const documents = new Set(jobs.flatMap(({ documentId }) => documentId ?? []));
  for (const id of [...documents].sort((a, b) => a - b))
    await deleteUnneededDocument(db, tx, id);
  const readable = jobs.filter(
    ({ payload }) => readPayload(payload).unreadable === undefined,
  );
  if (readable.length > 0) await onForgotten(tx, readable);
  return jobs.length;
}
