import type { Reader, Tx } from "../db/db.ts";

/**
 * A kind of job and the shape of what it needs. The payload is stored as JSON,
 * so it holds ids and short texts; handlers read the state anew.
 */
export type JobKind<Payload> = {
  readonly name: string;
  /** Jobs of one pool share its slots, so that slow ones do not keep out quick ones. */
  readonly pool: JobPool;
  /**
   * How often it is tried when it throws, and how often, up to 20, it is started when
   * its process dies each time, before it is dead.
   */
  readonly maxAttempts: number;
  /** It comes back for ever: where others are given up it pauses longer. */
  readonly recurs?: true;
  /** Never read: it ties the payload's type to the kind. */
  readonly payload?: Payload;
};

export type JobPool = "delivery" | "work";

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

/** A kind of job that is there once, for ever (`Jobs.ensureRecurring`). */
export type RecurringKind = JobKind<Record<string, never>> & {
  readonly recurs: true;
};

export function recurringKind(
  name: string,
  options: { maxAttempts?: number } = {},
): RecurringKind {
  const kind = jobKind<Record<string, never>>(name, options);
  return { ...kind, recurs: true };
}

/** What a worker holds while a job runs. */
export type LeasedJob = {
  readonly id: number;
  /** Which of its leases this is, counted from 1. Only the newest one is settled. */
  readonly lease: number;
  readonly kind: string;
  readonly payload: unknown;
  /** Why its payload cannot be read, where it cannot; it is null then. */
  readonly unreadable?: string | undefined;
  readonly documentId: number | null;
  readonly lane: string | null;
  readonly host: string | null;
  /** Counts from 1. */
  readonly attempts: number;
  /** How often it was leased, this time included, since it was last settled. More than once: its process died. */
  readonly unsettledLeases: number;
  /** RFC 3339. */
  readonly createdAt: string;
};

/** A thing that a job cannot do without and that is not here yet. */
export type Missing = {
  /** Its Guid or its URI; a person's handle. */
  readonly name: string;
  /**
   * Is it here after all? It may have been stored since the job looked for it. Says
   * yes only where the job would find what it looked for: it is tried at once.
   */
  readonly isHere: (reader: Reader) => Promise<boolean>;
};

/**
 * What came of a job. A handler that throws is tried again after a growing
 * pause, until its kind's `maxAttempts`.
 */
export type JobResult =
  | { readonly kind: "done" }
  /** It went well and is to run again: for what recurs. Its attempts count anew. */
  | { readonly kind: "again"; readonly afterMs: number }
  | {
      readonly kind: "retry";
      readonly afterMs: number;
      readonly reason: string;
      /** Lets the jobs behind it in its lane go first from now on. */
      readonly leaveLane?: boolean;
      /** The job alone is refused: those that follow it, and are of other lanes, need not wait for it. */
      readonly stepAside?: boolean;
      /** All that is for its host waits so long. */
      readonly hostAfterMs?: number;
      /** So long not even its host's coming back brings it forward. */
      readonly leastMs?: number;
      /** It runs as soon as this is stored (`Jobs.wake`), if that is before its time. */
      readonly missing?: Missing;
    }
  | { readonly kind: "give_up"; readonly reason: string };

/** A job that has ended. */
export type SettledJob = {
  readonly kind: string;
  readonly payload: unknown;
  readonly host: string | null;
  /** Did it go well? Else it was given up. */
  readonly isDone: boolean;
};

/** Told of jobs in the transaction that ends them. Where it always fails, they are dead. */
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

/** How a job is put in. */
export type EnqueueOptions = {
  /** Jobs of one lane run one after the other, in the order in which they came. */
  readonly lane?: string;
  /** A lane or a band: what came earlier there goes first, unless it is refused. */
  readonly follows?: string;
  /** Jobs of one band may run at once; those that follow it come after them. */
  readonly band?: string;
  /** The remote host that it depends on, so that its queue can be released at once. */
  readonly host?: string;
  /** A text that many jobs share, stored once (`addDocument`). */
  readonly documentId?: number;
  readonly runAt?: Date;
};

/** One of many jobs that are put in together. */
export type NewJob<Payload> = {
  readonly payload: Payload;
  readonly options: EnqueueOptions;
};
