import type { Db } from "../../db/db.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { parseDatetime } from "../../lib/time/datetime.ts";
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

/**
 * Reads until when a person is to be ignored.
 * @returns null for good
 * @throws {KithError} `invalid_datetime`, or `bad_request` for the past
 */
export function readIgnoreEnd(text = "", now: Date): Timestamp | null {
  if (text.trim() === "") return null;
  const end = parseDatetime(text.trim());
  if (!end)
    throw new KithError(
      "invalid_datetime",
      "The parameter until must be a date and time such as 2026-07-04T18:30:00Z.",
    );
  if (end.instant <= timestamp(now))
    throw new KithError(
      "bad_request",
      "The parameter until must be in the future.",
    );
  return end.instant;
}
