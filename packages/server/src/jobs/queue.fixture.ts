import assert from "node:assert/strict";
import { TestClock } from "../../test/support/server/test-clock.ts";
import {
  openTestDatabase,
  type DatabaseKind,
} from "../../test/support/server/databases.ts";
import type { Db, OnQuery } from "../db/db.ts";
import type { InstanceLock } from "../db/locks/instance-lock.ts";
import { silentLog } from "../observability/log.ts";
import {
  DONE,
  jobKind,
  type EnqueueOptions,
  type JobContext,
  type JobResult,
  type OnSettled,
} from "./job.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { plainLimits } from "./worker/concurrency-limiter.ts";
import { Worker } from "./worker/worker.ts";

export type NamedNote = { readonly name: string };

/** Notes its name, then does what the test says. */
export const NOTE = jobKind<NamedNote>("note", { maxAttempts: 3 });

type Handler = (name: string, context: JobContext) => Promise<JobResult>;

/** A queue over a database of its own, whose one worker notes the jobs that it runs. */
export type Queue = {
  readonly db: Db;
  readonly clock: TestClock;
  /** Goes on with the system's, whatever the clock says. */
  readonly elapsedMs: () => number;
  readonly elapse: (ms: number) => void;
  readonly jobs: Jobs;
  readonly worker: Worker;
  /** The names of the jobs that ran, in their order. */
  readonly ran: string[];
  /** Decides what comes of the jobs; until then each is done. */
  act(handler: Handler): void;
  put(name: string, options?: EnqueueOptions): Promise<void>;
  rows(): Promise<JobRow[]>;
  close(): Promise<void>;
};

type JobRow = Awaited<ReturnType<typeof listRows>>[number];

export async function openQueue(
  kind: DatabaseKind,
  onQuery?: OnQuery,
): Promise<Queue> {
  const { db, close } = await openTestDatabase(kind, onQuery);
  const clock = new TestClock();
  clock.stopAt(new Date("2026-01-01T00:00:00.000Z"));
  const jobs = createJobs({ db, clock });
  let skippedMs = 0;
  const elapsedMs = (): number => performance.now() + skippedMs;
  const worker = createTestWorker(
    { db, clock, elapsedMs, jobs },
    livingInstance(1),
  );
  const ran: string[] = [];
  let handler: Handler = async () => DONE;
  worker.handle(NOTE, async ({ name }, context) => {
    ran.push(name);
    return handler(name, context);
  });
  return {
    db,
    clock,
    elapsedMs,
    elapse: (ms) => {
      skippedMs += ms;
    },
    jobs,
    worker,
    ran,
    act: (given) => {
      handler = given;
    },
    put: (name, options) =>
      db.transaction((tx) => jobs.enqueue(tx, NOTE, { name }, options)),
    rows: () => listRows(db),
    close: async () => {
      await worker.stop();
      await close();
    },
  };
}

export function createTestWorker(
  deps: Pick<Queue, "db" | "clock" | "jobs"> &
    Partial<Pick<Queue, "elapsedMs">> & {
      readonly onSettled?: OnSettled;
    },
  lock: InstanceLock,
): Worker {
  return new Worker({
    ...deps,
    log: silentLog(),
    lock,
    slots: {
      ...{ work: plainLimits(20), delivery: plainLimits(20) },
      import: plainLimits(1),
    },
  });
}

/** An instance that knows of no other that has ended, but for `ended`. */
export function livingInstance(
  id: number,
  ended: readonly number[] = [],
): InstanceLock {
  return {
    id,
    ended: async (ids) => ids.filter((other) => ended.includes(other)),
    release: async () => {},
  };
}

function listRows(db: Db) {
  return db.read.selectFrom("jobs").selectAll().orderBy("id").execute();
}

/** Puts a job in that worker 1 has leased and does not know of: the answer was lost. */
export async function loseLease(queue: Queue, name: string): Promise<void> {
  const kind = "note";
  const until = "9999-01-01T00:00:00.000Z";
  const at = "2020-01-01T00:00:00.000Z";
  await queue.db.transaction((tx) =>
    tx
      .insertInto("jobs")
      .values({
        ...{ kind, pool: "work", payload: JSON.stringify({ name }) },
        ...{ state: "leased", leased_by: 1, lease_until: until },
        ...{ attempts: 1, lease_number: 1, unsettled_leases: 1 },
        ...{ run_at: at, turn: at, created_at: at },
      })
      .execute(),
  );
}

/** Waits until the queue's worker, which is started, has looked through the leases anew and started what it found. */
export async function awaitLook(queue: Queue): Promise<void> {
  const before = queue.ran.length;
  await loseLease(queue, "lost");
  const deadline = performance.now() + 20_000;
  while (!queue.ran.slice(before).includes("lost")) {
    assert.ok(performance.now() < deadline, "the worker does not look");
    queue.elapse(3_000);
    queue.worker.wake();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
