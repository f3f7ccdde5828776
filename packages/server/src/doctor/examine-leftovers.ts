import type { Retractions } from "../features/retractions/index.ts";
import { ok, warning, type Finding } from "../lib/finding.ts";

/** Checks that data kept for other servers expires on time. */
export async function examineLeftovers({
  retractions,
}: {
  readonly retractions: Pick<Retractions, "countOverdue">;
}): Promise<Finding> {
  const check = "leftovers";
  const overdue = await retractions.countOverdue();
  return overdue === 0
    ? ok(check, "Data kept for other servers is deleted on time.")
    : warning(
        check,
        `${overdue} deletions of unknown objects are older than a week.`,
        "They are removed every few hours by the job forget-inbound. Is a worker running? kith queue list shows whether it has failed.",
      );
}
