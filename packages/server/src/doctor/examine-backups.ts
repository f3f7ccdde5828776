import type { BackupPlan } from "../backups/back-up-job.ts";
import type { Config } from "../config/config.ts";
import { messageOf } from "../lib/errors.ts";
import { failed, ok, skipped, warning, type Finding } from "../lib/finding.ts";
import type { Clock } from "../lib/time/clock.ts";

const HOUR_MS = 3_600_000;
/** A backup may take some hours, and one may fail once. */
const LATE_FACTOR = 2;

/** Is there a backup that is young enough? */
export async function examineBackups(
  plan: BackupPlan | null,
  { baseUrl }: Pick<Config, "baseUrl">,
  clock: Clock,
): Promise<Finding> {
  const check = "backups";
  if (plan === null)
    return baseUrl.startsWith("https:")
      ? warning(
          check,
          "This server makes no backups of itself.",
          "Set KITH_BACKUP_DIR to a folder on another disk or KITH_BACKUP_URL to a bucket, or see that kith backup is run regularly.",
        )
      : skipped(check, "This server makes no backups of itself.");
  const { place, everyHours } = plan;
  const advice =
    "Is a worker running? kith queue list --kind back-up shows the last error. Is the folder or bucket there, and may Kith write to it?";
  try {
    const newest = await place.findNewest(clock.now());
    if (!newest)
      return failed(
        check,
        `There is no whole backup in ${place.name}.`,
        advice,
      );
    const { takenAt } = newest.manifest;
    const hours = (clock.now().getTime() - Date.parse(takenAt)) / HOUR_MS;
    const says = `The newest backup is ${newest.path}, ${Math.round(hours)} hours old.`;
    return hours > LATE_FACTOR * everyHours
      ? failed(check, says, advice)
      : ok(check, says);
  } catch (error) {
    return failed(check, messageOf(error), advice);
  }
}
