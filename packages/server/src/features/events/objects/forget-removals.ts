import { recurringKind, type JobHandler } from "../../../jobs/job.ts";
import type { createCalendarObjects } from "./objects.ts";

/** The job that forgets which objects calendars had, after a time. */
export const FORGET_REMOVED_OBJECTS = recurringKind("forget-removed-objects");

const EVERY_MS = 24 * 3_600_000;

export function createForgetRemovals({
  objects,
}: {
  readonly objects: ReturnType<typeof createCalendarObjects>;
}): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    while (!signal.aborted && (await objects.forgetRemovals()));
    return { kind: "again", afterMs: EVERY_MS };
  };
}
