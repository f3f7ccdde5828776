import type { Db, Tx } from "../db/db.ts";
import type { Clock } from "../lib/time/clock.ts";
import {
  makeDue,
  retryDead,
  deleteUnleased,
  type DroppedJob,
  type JobFilter,
} from "./stores/queue-administration-store.ts";
import { deleteUnneededDocument } from "./stores/document-store.ts";
import { readPayload } from "./payload.ts";
import { countMatching, listGroups } from "./stores/queue-queries.ts";

export type QueueAdministrationDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /**
   * Cleans up after jobs that will never run, in the transaction that removes
   * them.
   */
  readonly onDropped?: (tx: Tx, jobs: readonly DroppedJob[]) => Promise<void>;
};

/** Records the act in the audit log, in the transaction of its first effect. */
export type RecordAct = (tx: Tx) => Promise<void>;

const BATCH_SIZE = 200;

/** The queue as an operator sees it. */
export type QueueAdministration = ReturnType<typeof createQueueAdministration>;

export function createQueueAdministration(deps: QueueAdministrationDeps) {
  const { db, clock } = deps;
  return {
    /** How many jobs wait, and how many are dead. */
    count: async (): Promise<{ waiting: number; dead: number }> => ({
      waiting: await countMatching(db.read, {}, "ready"),
      dead: await countMatching(db.read, {}, "dead"),
    }),
    /** Counts by kind and host, the largest first. */
    list: (filter: JobFilter) => listGroups(db.read, filter, clock.now()),
    /**
     * Makes waiting and dead jobs due now. Jobs of one lane still run in order,
     * so a superseded job stays dead.
     */
    retry: async (
      filter: JobFilter,
      note: RecordAct,
    ): Promise<{ waiting: number; dead: number; overtaken: number }> => {
      const now = clock.now();
      const { dead, waiting } = await db.transaction(async (tx) => ({
        dead: await retryDead(db, tx, filter, now),
        waiting: await makeDue(db, tx, filter, now),
        noted: await note(tx),
      }));
      return {
        ...{ dead, waiting },
        overtaken: await countMatching(db.read, filter, "dead"),
      };
    },
    /**
     * Removes jobs for ever, except running ones. @returns how many were
     * removed, and how many run
     */
    drop: async (
      filter: JobFilter,
      note: RecordAct,
    ): Promise<{ dropped: number; running: number }> => {
      for (let dropped = 0, isFirst = true; ; isFirst = false) {
        const count = await db.transaction(async (tx) => {
          if (isFirst) await note(tx);
          return dropBatch(deps, tx, filter);
        });
        dropped += count;
        if (count < BATCH_SIZE)
          return {
            dropped,
            running: await countMatching(db.read, filter, "leased"),
          };
      }
    },
  };
}

async function dropBatch(
  { db, onDropped }: QueueAdministrationDeps,
  tx: Tx,
  filter: JobFilter,
): Promise<number> {
  const jobs = await deleteUnleased(db, tx, filter, BATCH_SIZE);
  const documents = new Set(jobs.flatMap(({ documentId }) => documentId ?? []));
  for (const id of [...documents].sort((a, b) => a - b))
    await deleteUnneededDocument(db, tx, id);
  // Nothing can depend on a job that could not be read.
  const readable = jobs.filter(
    ({ payload }) => readPayload(payload).unreadable === undefined,
  );
  if (readable.length > 0) await onDropped?.(tx, readable);
  return jobs.length;
}
