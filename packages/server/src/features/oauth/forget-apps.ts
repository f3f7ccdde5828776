import type { Db, Tx } from "../../db/db.ts";
import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { deleteUnusedAccesses } from "./access-store.ts";
import { deleteUnusedApps } from "./app-store.ts";
import {
  UNKNOWN_APP_MS,
  UNUSED_ACCESS_MS,
  UNUSED_APP_MS,
  UNUSED_OWN_ACCESS_MS,
} from "./app.ts";
import { deleteExpiredCodes } from "./code-store.ts";

/** The job that deletes expired codes, and accesses and apps that nobody uses. */
export const FORGET_APPS = recurringKind("forget-apps");

const EVERY_MS = 6 * 3_600_000;
const BATCH_SIZE = 500;

export function createForgetApps({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    const before = (ms: number) => timestamp(later(clock.now(), -ms));
    const batches: ((tx: Tx) => Promise<number>)[] = [
      (tx) => deleteExpiredCodes(tx, before(0), BATCH_SIZE),
      (tx) => {
        const ofUsers = before(UNUSED_ACCESS_MS);
        const ofApps = before(UNUSED_OWN_ACCESS_MS);
        return deleteUnusedAccesses(tx, { ofUsers, ofApps }, BATCH_SIZE);
      },
      (tx) => {
        const authorized = before(UNUSED_APP_MS);
        const unknown = before(UNKNOWN_APP_MS);
        return deleteUnusedApps(tx, { authorized, unknown }, BATCH_SIZE);
      },
    ];
    for (const deleteSome of batches) {
      let count = BATCH_SIZE;
      while (count === BATCH_SIZE && !signal.aborted)
        count = await db.transaction(deleteSome);
    }
    return { kind: "again", afterMs: EVERY_MS };
  };
}
