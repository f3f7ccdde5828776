import type { Db, Tx } from "../../db/db.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { PersonId } from "../ids.ts";
import type { People } from "../people/index.ts";
import type { Relocation } from "./migrate-contacts.ts";

/** One of the things that follow when somebody moves. */
export type MovingStep = {
  /** Stored with the job: a name that is taken keeps its meaning. */
  readonly name: string;
  /**
   * Does a part of it, at most about `limit` records. It may run again at any
   * time, and then finds less to do.
   * @returns true where more is left
   */
  readonly run: (move: MoveInProgress, limit: number) => Promise<boolean>;
};

export type MoveInProgress = Relocation & {
  /** Where the pictures of the person lie from now on; null where they stay. */
  readonly photoPath: string | null;
};

export type MovePayload = {
  readonly personId: PersonId;
  readonly withContent: boolean;
  readonly photoPath: string | null;
  /** The name of the step to go on with. */
  readonly step: string;
};

/** The job that does one step, part by part, and then puts in the next one. */
export const MOVE = jobKind<MovePayload>("move", { maxAttempts: 1000 });

const FIRST = "first";
const RECORDS_AT_ONCE = 200;

type MoveJobDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly people: People;
};

/** Each step has a lane of its own, so that a step that was put in before a crash is not put in twice. */
function enqueueStep(jobs: Jobs, tx: Tx, payload: MovePayload): Promise<void> {
  const { personId, withContent, step } = payload;
  const lane = `move:${personId}:${withContent ? "whole" : "followers"}:${step}`;
  return jobs.enqueueOnce(tx, MOVE, payload, { lane });
}

/** Puts in all that follows, in the transaction that marks the person. */
export function enqueueMove(
  jobs: Jobs,
  tx: Tx,
  payload: Omit<MovePayload, "step">,
): Promise<void> {
  return enqueueStep(jobs, tx, { ...payload, step: FIRST });
}

export function createMoveJob(
  { db, jobs, people }: MoveJobDeps,
  steps: readonly MovingStep[],
): JobHandler<MovePayload> {
  return async (payload) => {
    const from = await people.find({ id: payload.personId });
    const to =
      from?.movedToId == null
        ? undefined
        : await people.find({ id: from.movedToId });
    const index = Math.max(
      steps.findIndex(({ name }) => name === payload.step),
      0,
    );
    const current = steps[index];
    if (!from || !to || !current) return DONE;
    const { withContent, photoPath } = payload;
    const move = { from, to, withContent, photoPath };
    if (await current.run(move, RECORDS_AT_ONCE))
      return { kind: "again", afterMs: 0 };
    const next = steps[index + 1];
    if (next)
      await db.transaction((tx) =>
        enqueueStep(jobs, tx, { ...payload, step: next.name }),
      );
    return DONE;
  };
}
