import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { ReadElsewhere } from "./read-calendar.ts";
import { postpone, refresh, type RefreshDeps } from "./refresh.ts";
import { listDueSubscriptions } from "./subscription-store.ts";

/** The job that reads subscribed calendars again. */
export const REFRESH_CALENDARS = recurringKind("refresh-calendars");

const EVERY_MS = 60_000;
const AT_ONCE = 4;
/** Of one run: even the slowest servers hold its slot for some minutes only. */
const MOST = 40;

export function createRefreshCalendars(
  deps: RefreshDeps,
  read: ReadElsewhere,
): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    const now = timestamp(deps.clock.now());
    const due = await listDueSubscriptions(deps.db.read, now, MOST);
    const waiting = [...due];
    const errors: unknown[] = [];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (signal.aborted) return;
        try {
          await refresh(deps, read, next, signal);
        } catch (error) {
          if (signal.aborted) throw error;
          // The others do not wait for it; the error goes to the log.
          await postpone(deps, next);
          errors.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (errors.length > 0) throw errors[0];
    return { kind: "again", afterMs: due.length === MOST ? 0 : EVERY_MS };
  };
}
