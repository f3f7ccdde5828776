import type { Db } from "../../db/db.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import type { FilterId } from "../ids.ts";
import { deleteEndedFilter, findFilterEnd } from "./filter-store.ts";
import type { FilterCollector } from "./filter.ts";

type EndFilter = { readonly filterId: FilterId; readonly endsAt: Timestamp };

export const END_FILTER = jobKind<EndFilter>("end-filter");

/**
 * Deletes a filter at its end. A job, so that every list and every cached response changes
 * with the row alone, and no query compares times.
 */
export function createEndFilter({
  db,
  clock,
  collector,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly collector: FilterCollector;
}): JobHandler<EndFilter> {
  return ({ filterId, endsAt }) =>
    db.transaction(async (tx) => {
      // Deleted by the user, or given another end, for which there is another job.
      if ((await findFilterEnd(tx, filterId)) !== endsAt) return DONE;
      const now = clock.now();
      const leftMs = Date.parse(endsAt) - now.getTime();
      if (leftMs > 0)
        return {
          kind: "retry",
          afterMs: leftMs,
          reason: "The clock was set back.",
        };
      const userId = await deleteEndedFilter(tx, filterId, timestamp(now));
      if (userId !== undefined) collector.noteFilters(tx, userId);
      return DONE;
    });
}
