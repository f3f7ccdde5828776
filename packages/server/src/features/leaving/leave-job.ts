import type { Db, Tx } from "../../db/db.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { later, type Clock } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { People } from "../people/index.ts";

/** A person whose account was deleted. */
export type Leaver = {
  readonly personId: PersonId;
  /** null for a remote person. */
  readonly userId: UserId | null;
};

/** One of the steps of deleting an account. */
export type LeavingStep = {
  /** Stored with the job: never reuse a name for another step. */
  readonly name: string;
  /**
   * Executes a part of it: at most about `limit` records, in a transaction of its own. May
   * run again at any time, and then finds less to do.
   * @returns true if more is left
   */
  readonly run: (leaver: Leaver, limit: number) => Promise<boolean>;
  /** The delay after the previous step. */
  readonly afterMs?: number;
};

export type LeavePayload = {
  readonly personId: PersonId;
  /** The name of the step to continue with. */
  readonly step: string;
};

/** The job that executes one step, part by part, and then enqueues the next one. */
export const LEAVE = jobKind<LeavePayload>("leave", { maxAttempts: 1000 });

/** The first step. A job with an unknown step also starts with the first one. */
const FIRST = "first";
const RECORDS_AT_ONCE = 200;

type LeaveDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly people: People;
};

/** One lane per step, so that a step enqueued before a crash is not enqueued twice. */
const laneOf = (personId: PersonId, step: string) =>
  `leave:${personId}:${step}`;

/**
 * Enqueues all steps, in the transaction that closes the person.
 * @param step the step to start with
 */
export function enqueueLeave(
  jobs: Jobs,
  tx: Tx,
  personId: PersonId,
  step = FIRST,
): Promise<void> {
  const lane = laneOf(personId, step);
  return jobs.enqueueOnce(tx, LEAVE, { personId, step }, { lane });
}

export function createLeave(
  { db, clock, jobs, people }: LeaveDeps,
  steps: readonly LeavingStep[],
): JobHandler<LeavePayload> {
  return async ({ personId, step }) => {
    const person = await people.find({ id: personId });
    const index = Math.max(
      steps.findIndex(({ name }) => name === step),
      0,
    );
    const current = steps[index];
    if (!person || !current) return DONE;
    const leaver = { personId, userId: person.userId };
    if (await current.run(leaver, RECORDS_AT_ONCE))
      return { kind: "again", afterMs: 0 };
    const next = steps[index + 1];
    if (!next) return DONE;
    const runAt = later(clock.now(), next.afterMs ?? 0);
    const payload = { personId, step: next.name };
    const lane = laneOf(personId, next.name);
    await db.transaction((tx) =>
      jobs.enqueueOnce(tx, LEAVE, payload, { lane, runAt }),
    );
    return DONE;
  };
}

/**
 * Repeats steps to their end: for content that was being stored when the account was
 * deleted.
 */
export function repeatSteps(
  name: string,
  steps: readonly LeavingStep[],
  afterMs: number,
): LeavingStep {
  return {
    name,
    afterMs,
    run: async (leaver, limit) => {
      for (const step of steps) if (await step.run(leaver, limit)) return true;
      return false;
    },
  };
}
