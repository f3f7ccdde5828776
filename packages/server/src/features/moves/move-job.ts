import type { Db, Tx } from "../../db/db.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { PersonId } from "../ids.ts";
import type { People } from "../people/index.ts";
import type { Relocation } from "./migrate-contacts.ts";

/** One of the steps of a move. */
export type MovingStep = {
  /** Stored with the job: never reuse a name for another step. */
  readonly name: string;
  /**
   * Executes a part of it, at most about `limit` records. May run again at any time, and
   * then finds less to do.
   * @returns true if more is left
   */
  readonly run: (move: MoveInProgress, limit: number) => Promise<boolean>;
};

export type MoveInProgress = Relocation & {
  /** The new folder of the person's photos; null if it has not changed. */
  readonly photoPath: string | null;
};

export type MovePayload = {
  readonly personId: PersonId;
  readonly withContent: boolean;
  readonly photoPath: string | null;
  /** The name of the step to continue with. */
  readonly step: string;
};

/** The job that executes one step, part by part, and then enqueues the next one. */
export const MOVE = jobKind<MovePayload>("move", { maxAttempts: 1000 });

const FIRST = "first";
const RECORDS_AT_ONCE = 200;

type MoveJobDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly people: People;
};

/** One lane per step, so that a step enqueued before a crash is not enqueued twice. */
function enqueueStep(jobs: Jobs, tx: Tx, payload: MovePayload): Promise<void> {
  const { personId, withContent, step } = payload;
  const lane = `move:${personId}:${withContent ? "whole" : "followers"}:${step}`;
  return jobs.enqueueOnce(tx, MOVE, payload, { lane });
}

/** Enqueues all steps, in the transaction that marks the person as moved. */
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
