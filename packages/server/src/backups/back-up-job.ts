import { recurringKind, type JobHandler } from "../jobs/job.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { Log } from "../observability/log.ts";
import { makeBackup, type BackupDeps } from "./make-backup.ts";
import type { BackupPlace } from "./places/backup-place.ts";

/** The job that makes backups, if a place for them is set. */
export const BACK_UP = recurringKind("back-up");

/** When and where backups are made. */
export type BackupPlan = {
  readonly place: BackupPlace;
  readonly everyHours: number;
  /** How many whole backups are kept, at least 1. */
  readonly keep: number;
};

/** A server that makes backups of itself, if it has a plan. */
export type ServedBackup = BackupDeps & { readonly plan: BackupPlan | null };

const HOUR_MS = 3_600_000;
/**
 * Looks more often than it makes any, so that a server which was down makes a late one
 * soon, and a change of the plan needs no other job.
 */
const LOOK_EVERY_MS = HOUR_MS / 4;
const NOTIFY_EVERY_MS = 24 * HOUR_MS;
/** A backup takes some time: with this, one that is made daily keeps its hour. */
const EARLY_MS = HOUR_MS / 4;

export function createBackUp(
  {
    clock,
    log,
    backup,
    notifyFailed,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    readonly backup: BackupDeps | undefined;
    /** Tells admins that a backup failed. */
    readonly notifyFailed: () => Promise<void>;
  },
  plan: BackupPlan | null,
): JobHandler<Record<string, never>> {
  /** It is tried again and again: once in a day is enough to tell. */
  let notifiedAtMs = -Infinity;
  const notify = async (): Promise<void> => {
    const nowMs = clock.now().getTime();
    if (nowMs - notifiedAtMs < NOTIFY_EVERY_MS) return;
    notifiedAtMs = nowMs;
    await notifyFailed();
  };
  return async (_payload, { signal }) => {
    if (plan && backup && (await isDue(plan, clock))) {
      const { place, keep } = plan;
      const making = makeBackup(backup, place, { signal });
      const { path, files, bytes } = await making.catch(
        async (error: unknown) => {
          if (!signal.aborted) await notify();
          throw error;
        },
      );
      const removed = await place.prune(keep, path);
      log.info({ path, files, bytes, removed }, "A backup is made");
    }
    return { kind: "again", afterMs: LOOK_EVERY_MS };
  };
}

async function isDue(
  { place, everyHours }: BackupPlan,
  clock: Clock,
): Promise<boolean> {
  // One from the future says that the clock was wrong, and nothing of its age.
  const newest = await place.findNewest(clock.now());
  if (!newest) return true;
  const ageMs = clock.now().getTime() - Date.parse(newest.manifest.takenAt);
  return ageMs >= everyHours * HOUR_MS - EARLY_MS;
}
