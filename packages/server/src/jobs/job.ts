import type { Reader, Tx } from "../db/db.ts";

/**
 * A kind of job and the shape of its payload. The payload is stored as JSON, so
 * it holds ids and short texts; handlers read the current state.
 */
export type JobKind<Payload> = {
  readonly name: string;
  /**
   * Jobs of one pool share its slots, so that slow kinds do not block quick
   * ones.
   */
  readonly pool: JobPool;
  /**
   * The number of attempts when the handler throws, and of starts (20 at most)
   * when the process dies each time, before the job is dead.
   */
  readonly maxAttempts: number;
  /**
   * The job recurs for ever: where another kind would be dead, it pauses
   * longer.
   */
  readonly recurs?: true;
  /** Never read: it ties the payload's type to the kind. */
  readonly payload?: Payload;
};

export type JobPool =
  | "delivery"
  /** Imports, which take minutes. */
  | "import"
  | "work";

export const POOLS: readonly JobPool[] = ["work", "delivery", "import"];

export function jobKind<Payload>(
  name: string,
  options: { pool?: JobPool; maxAttempts?: number } = {},
): JobKind<Payload> {
  return {
    name,
    pool: options.pool ?? "work",
    maxAttempts: options.maxAttempts ?? 10,
  };
}

/**
 * A kind with exactly one job, which recurs for ever (`Jobs.ensureRecurring`).
 */
export type RecurringKind = JobKind<Record<string, never>> & {
  readonly recurs: true;
};

export function recurringKind(
  name: string,
  options: { pool?: JobPool; maxAttempts?: number } = {},
): RecurringKind {
  const kind = jobKind<Record<string, never>>(name, options);
  return { ...kind, recurs: true };
}

/** The part of a job that a worker holds while it runs. */
export type LeasedJob = {
  readonly id: number;
  /** The number of this lease, from 1. Only the newest lease can be settled. */
  readonly lease: number;
  readonly kind: string;
  readonly payload: unknown;
  /** Why the payload could not be parsed; the payload is null then. */
  readonly unreadable?: string | undefined;
  readonly documentId: number | null;
  readonly lane: string | null;
  readonly host: string | null;
  /** Counts from 1. */
  readonly attempts: number;
  /**
   * Leases since the job was last settled, including this one. More than one:
   * its process died.
   */
  readonly unsettledLeases: number;
  /** RFC 3339. */
  readonly createdAt: string;
  /** The request from which it follows, if it follows from one. */
  readonly requestId: string | null;
};

/** A dependency of a job that is not stored yet. */
export type Missing = {
  /** Its guid or URI, or a person's handle. */
  readonly name: string;
  /**
   * Has it been stored since the job looked for it? Answer true only where the
   * job would find it now: it is retried immediately.
   */
  readonly isHere: (reader: Reader) => Promise<boolean>;
};

/**
 * The result of a run. A handler that throws is retried with exponential
 * back-off, until the `maxAttempts` of its kind.
 */
export type JobResult =
  | { readonly kind: "done" }
  /** Success of a recurring job, which runs again. Its attempts are reset. */
  | { readonly kind: "again"; readonly afterMs: number }
  | {
      readonly kind: "retry";
      readonly afterMs: number;
      readonly reason: string;
      /** Lets later jobs of its lane run first from now on. */
      readonly leaveLane?: boolean;
      /**
       * Only this job was refused: the jobs that follow it from other lanes
       * need not wait.
       */
      readonly stepAside?: boolean;
      /** Delays every job for this host by so long. */
      readonly hostAfterMs?: number;
      /** The earliest retry, even if the host recovers before. */
      readonly leastMs?: number;
      /**
       * The job runs as soon as this is stored (`Jobs.wake`), if that is before
       * its time.
       */
      readonly missing?: Missing;
    }
  | { readonly kind: "give_up"; readonly reason: string };

/** A job that has ended. */
export type SettledJob = {
  readonly kind: string;
  readonly payload: unknown;
  readonly host: string | null;
  /** Done if true, dead if false. */
  readonly isDone: boolean;
};

/**
 * Called for jobs in the transaction that ends them. If it always fails, the
 * jobs are dead.
 */
export type OnSettled = (
  tx: Tx,
  settled: readonly SettledJob[],
) => Promise<void>;

export const DONE: JobResult = { kind: "done" };

export type JobHandler<Payload> = (
  payload: Payload,
  context: JobContext,
) => Promise<JobResult>;

export type JobContext = {
  readonly job: LeasedJob;
  /** Aborted when the worker stops: finish soon, the job will run again. */
  readonly signal: AbortSignal;
};

/** How a job is scheduled. */
export type EnqueueOptions = {
  /** Jobs of one lane run one at a time, in the order of their insertion. */
  readonly lane?: string;
  /** A lane or a band: its earlier jobs run first, unless they are refused. */
  readonly follows?: string;
  /**
   * Jobs of one band may run in parallel; jobs that follow the band run after
   * them.
   */
  readonly band?: string;
  /**
   * The remote host that the job depends on, so that the whole queue of a host
   * can be released.
   */
  readonly host?: string;
  /** A text that many jobs share, stored once (`addDocument`). */
  readonly documentId?: number;
  readonly runAt?: Date;
};

/** One of many jobs that are enqueued together. */
export type NewJob<Payload> = {
  readonly payload: Payload;
  readonly options: EnqueueOptions;
  /** Runs after all jobs that are due now. */
  readonly goesLast?: boolean;
};
