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
    ? ok(check, "What other servers had remembered here goes in its time.")
    : warning(
        check,
        `${overdue} deletions of what never came are kept longer than a week.`,
        "They are removed every few hours by the job forget-inbound. Is a worker running? kith queue list shows whether it has failed.",
      );
}
