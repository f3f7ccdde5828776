import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../../db/db.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { isRefusal } from "../../db/refusal.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../observability/log.ts";
import { NO_TRACING, type Tracing } from "../../observability/tracing.ts";
import { backOffMs } from "../back-off.ts";
import type { FinishedJobs } from "./finished-jobs.ts";
import type {
  JobHandler,
  JobKind,
  JobResult,
  LeasedJob,
  OnSettled,
} from "../job.ts";
import { unsettledReason } from "../stores/reclaim-store.ts";
import { settleJob, settleUnstorable } from "./settle-job.ts";

export type RunJobDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly onSettled?: OnSettled;
  readonly tracing?: Tracing;
  readonly finished: FinishedJobs;
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal;
};

export type Registered = {
  readonly kind: JobKind<never>;
  readonly handler: JobHandler<never>;
};

/**
 * A kind with hundreds of attempts may throw so often, but not kill so many
 * processes.
 */
const MAX_DEATHS = 20;
/** A recurring job that kills its process may do so again the next day. */
const AFTER_DEATHS_MS = 86_400_000;
const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 10_000;
/**
 * After so many consecutive refusals by the database, the result counts as
 * unstorable.
 */
const MAX_REFUSALS = 5;

/** Runs a job and stores its result. Never rejects. */
export async function runJob(
  deps: RunJobDeps,
  registered: Registered | undefined,
  job: LeasedJob,
): Promise<void> {
  const span = beginTrace(deps, job);
  await span.within(async () => {
    const result = await attempt(deps, registered, job);
    span.set({ "kith.job.result": result.kind });
    if (result.kind === "give_up") span.fail("given_up");
    const recurs = registered?.kind.recurs === true;
    const run = { job, recurs };
    await settle(deps, run, recurs ? retryForever(job, result) : result);
  });
  span.end();
}

/** A trace of its own: a job may run days after the request that made it, and often. */
function beginTrace(
  { tracing = NO_TRACING }: RunJobDeps,
  { id, kind, attempts, requestId }: LeasedJob,
) {
  return tracing.begin({
    name: `job ${kind}`,
    kind: "consumer",
    attributes: {
      "kith.job.id": id,
      "kith.job.kind": kind,
      "kith.job.attempts": attempts,
    },
    ...(requestId !== null && { causedBy: requestId }),
  });
}

/** A job whose handler has ended. */
type Run = { readonly job: LeasedJob; readonly recurs: boolean };

/** A recurring job never dies: it pauses longer. */
function retryForever({ attempts }: LeasedJob, result: JobResult): JobResult {
  if (result.kind !== "give_up") return result;
  const { reason } = result;
  return { kind: "retry", afterMs: backOffMs(attempts), reason };
}

async function attempt(
  { log, signal }: RunJobDeps,
  registered: Registered | undefined,
  job: LeasedJob,
): Promise<JobResult> {
  if (!registered) return { kind: "give_up", reason: "No such kind of job" };
  const { maxAttempts, recurs } = registered.kind;
  if (job.unsettledLeases > Math.min(maxAttempts, MAX_DEATHS)) {
    // A process that dies cannot count a failure: only the leases show that the
    // job killed it.
    const reason = unsettledReason(job.unsettledLeases - 1);
    log.error({ reason }, "A job is marked dead before it runs again");
    return recurs
      ? { kind: "retry", afterMs: AFTER_DEATHS_MS, reason }
      : { kind: "give_up", reason };
  }
  if (job.unreadable !== undefined) {
    log.error({ reason: job.unreadable }, "A job cannot be read");
    return { kind: "give_up", reason: job.unreadable };
  }
  try {
    return await registered.handler(job.payload as never, { job, signal });
  } catch (error) {
    const reason = messageOf(error);
    log.warn({ attempts: job.attempts, err: error }, "A job failed");
    return job.attempts >= maxAttempts && !recurs
      ? { kind: "give_up", reason }
      : { kind: "retry", afterMs: backOffMs(job.attempts), reason };
  }
}

/**
 * Retries until the result is stored. Until then the job stays held and does
 * not start again: nothing must be done twice because the database is
 * unavailable.
 */
async function settle(
  deps: RunJobDeps,
  run: Run,
  result: JobResult,
): Promise<void> {
  const { log, signal } = deps;
  let reason = "";
  for (let tries = 1, refusals = 0; ; tries += 1) {
    try {
      const isSettled =
        refusals >= MAX_REFUSALS
          ? await endUnstored(deps, run, reason)
          : await settleJob(deps, deps.finished, run.job, result);
      if (!isSettled) log.warn("A job's lease was lost while it ran");
      return;
    } catch (error) {
      const isEnd = refusals >= MAX_REFUSALS;
      // If the database is unavailable or full, or even the end of a job cannot
      // be stored, the result is not to blame.
      refusals = isEnd || !isRefusal(error) ? 0 : refusals + 1;
      if (!isEnd) reason = messageOf(error);
      const fields = { error: messageOf(error), tries };
      log.error(fields, "A job's result could not be stored");
    }
    // It runs again at the next start.
    if (signal.aborted) return;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS);
    await pause(pauseMs, undefined, { signal }).catch(() => {});
  }
}

function endUnstored(
  deps: RunJobDeps,
  { job, recurs }: Run,
  error: string,
): Promise<boolean> {
  const reason = `Its result cannot be stored: ${error}`;
  const retryAfterMs = recurs ? backOffMs(job.attempts) : undefined;
  return settleUnstorable(deps, job, { reason, retryAfterMs });
}
