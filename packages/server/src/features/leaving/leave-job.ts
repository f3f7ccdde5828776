import type { Db, Tx } from "../../db/db.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { later, type Clock } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { People } from "../people/index.ts";

/** Somebody who is gone for good. */
export type Leaver = {
  readonly personId: PersonId;
  /** null for somebody from elsewhere. */
  readonly userId: UserId | null;
};

/** One of the things that follow when somebody leaves. */
export type LeavingStep = {
  /** Stored with the job: a name that is taken keeps its meaning. */
  readonly name: string;
  /**
   * Does a part of it: at most about `limit` records, in a transaction of its own.
   * It may run again at any time, and then finds less to do.
   * @returns true where more is left
   */
  readonly run: (leaver: Leaver, limit: number) => Promise<boolean>;
  /** How long after the step before it. */
  readonly afterMs?: number;
};

export type LeavePayload = {
  readonly personId: PersonId;
  /** The name of the step to go on with. */
  readonly step: string;
};

/** The job that does one step, part by part, and then puts in the next one. */
export const LEAVE = jobKind<LeavePayload>("leave", { maxAttempts: 1000 });

/** The step that nothing comes before. A job that names no known step begins with the first one, too. */
const FIRST = "first";
const RECORDS_AT_ONCE = 200;

type LeaveDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly people: People;
};

/** Each step has a lane of its own, so that a step that was put in before a crash is not put in twice. */
const laneOf = (personId: PersonId, step: string) =>
  `leave:${personId}:${step}`;

/**
 * Puts in all that follows, in the transaction that closes the person.
 * @param step to begin with
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

/** Does steps once more, to their end: for what was under way when somebody left. */
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
