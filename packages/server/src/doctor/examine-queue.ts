import type { Reader } from "../db/db.ts";
import { DEAD_FOR_DAYS } from "../jobs/forget-dead.ts";
import { countJobs, summarizeDead } from "../jobs/stores/queue-queries.ts";
import { failed, ok, warning, type Finding } from "../lib/finding.ts";
import type { Clock } from "../lib/time/clock.ts";

/** Due jobs run within moments; a large backlog takes minutes. */
const LATE_MS = 10 * 60_000;

/** Checks that a worker keeps up, and that no jobs are dead. */
export async function examineQueue(
  reader: Reader,
  clock: Clock,
): Promise<Finding> {
  const check = "queue";
  const counts = await countJobs(reader);
  const nowMs = clock.now().getTime();
  const sum = (of: typeof counts): number =>
    of.reduce((total, { count }) => total + count, 0);
  const ready = counts.filter(({ state }) => state === "ready");
  const lateMs = Math.max(
    0,
    ...ready.map(({ nextAt }) => nowMs - Date.parse(nextAt)),
  );
  if (lateMs > LATE_MS)
    return failed(
      check,
      `${sum(ready)} jobs are waiting; the oldest has been due for ${Math.round(lateMs / 60_000)} minutes.`,
      "Is a worker running (kith serve, or kith worker beside kith serve --no-worker)? If so, raise its concurrency (KITH_CONCURRENCY) or add another worker. kith queue list shows the jobs.",
    );
  const { dead, oldestAt, documents } = await summarizeDead(reader);
  if (dead > 0)
    return warning(
      check,
      `${dead} jobs are dead, the oldest since ${oldestAt?.slice(0, 10) ?? "an unknown day"}. They are removed after ${DEAD_FOR_DAYS} days, with their texts: ${documents} texts are stored for jobs.`,
      "kith queue list shows them with their last error; kith queue retry tries them again, kith queue drop removes them.",
    );
  return ok(check, `${sum(ready)} jobs are waiting, none of them overdue.`);
}
