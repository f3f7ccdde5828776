import type { Db } from "../../db/db.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { PersonId } from "../ids.ts";
import { deleteEndedIgnore, findIgnoreEnd } from "./distance-store.ts";

type EndIgnore = {
  readonly by: PersonId;
  readonly of: PersonId;
  readonly endsAt: Timestamp;
};

export const END_IGNORE = jobKind<EndIgnore>("end-ignore");

/**
 * Ends an ignore at its time. A job, so that every list and every cached response changes
 * with the row alone, and no query compares times.
 */
export function createEndIgnore({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): JobHandler<EndIgnore> {
  return ({ by, of, endsAt }) =>
    db.transaction(async (tx) => {
      // Ended by the user, or given another end, for which there is another job.
      if ((await findIgnoreEnd(tx, by, of)) !== endsAt) return DONE;
      const now = clock.now();
      const leftMs = Date.parse(endsAt) - now.getTime();
      if (leftMs > 0)
        return {
          kind: "retry",
          afterMs: leftMs,
          reason: "The clock was set back.",
        };
      await deleteEndedIgnore(tx, by, of, timestamp(now));
      return DONE;
    });
}
