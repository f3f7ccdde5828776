import type { Db, Tx } from "../db/db.ts";
import type { Clock } from "../lib/time/clock.ts";
import {
  makeDue,
  retryDead,
  deleteWaiting,
  type DroppedJob,
  type JobFilter,
} from "./stores/queue-administration-store.ts";
import { deleteUnneededDocument } from "./stores/document-store.ts";
import { readPayload } from "./payload.ts";
import { countMatching, listGroups } from "./stores/queue-queries.ts";

export type QueueAdministrationDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** Ends what hangs on jobs that will never run, in the transaction that takes them out. */
  readonly onDropped?: (tx: Tx, jobs: readonly DroppedJob[]) => Promise<void>;
};

/** Writes down what is done, in the transaction that does it, or begins with it. */
export type RecordAct = (tx: Tx) => Promise<void>;

const BATCH_SIZE = 200;

/** The queue, as an operator sees it. */
export type QueueAdministration = ReturnType<typeof createQueueAdministration>;

export function createQueueAdministration(deps: QueueAdministrationDeps) {
  const { db, clock } = deps;
  return {
    /** How many wait, and how many were given up. */
    count: async (): Promise<{ waiting: number; dead: number }> => ({
      waiting: await countMatching(db.read, {}, "ready"),
      dead: await countMatching(db.read, {}, "dead"),
    }),
    /** Counts by kind and host, the largest first. */
    list: (filter: JobFilter) => listGroups(db.read, filter, clock.now()),
    /**
     * Makes jobs due at once: those that wait, and those that were given up. Jobs
     * of one lane still run in their order, so one that was overtaken stays dead.
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
    /** Takes jobs out for ever, but for those that run. @returns how many, and how many run */
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
  const jobs = await deleteWaiting(db, tx, filter, BATCH_SIZE);
  const documents = new Set(jobs.flatMap(({ documentId }) => documentId ?? []));
  for (const id of [...documents].sort((a, b) => a - b))
    await deleteUnneededDocument(db, tx, id);
  // Nothing can hang on what nobody could read.
  const readable = jobs.filter(
    ({ payload }) => readPayload(payload).unreadable === undefined,
  );
  if (readable.length > 0) await onDropped?.(tx, readable);
  return jobs.length;
}
