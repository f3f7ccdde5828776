import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/db.ts";
import { takeFileLock } from "../db/locks/file-lock.ts";
import { hasSchema, listPending, migrate } from "../db/migrate.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { BackupPlan } from "./back-up-job.ts";
import { makeBackup, type BackupDeps } from "./make-backup.ts";
import { createFolderPlace } from "./places/folder-place.ts";

export type UpgradeDeps = {
  readonly clock: Clock;
  readonly backup: BackupDeps;
  /** Is a backup made before the schema changes? */
  readonly isProtected: boolean;
  readonly plan: BackupPlan | null;
  readonly dataDir: string;
  /** Tells an operator how far it is. */
  readonly say?: ((line: string) => void) | undefined;
};

/** The folder of the data directory for copies of the database alone. */
const BEFORE_UPGRADE = "before-upgrade";
const LOCK = "upgrade.lock";
const KEPT_COPIES = 2;
const WAIT_MS = 500;

/**
 * Brings the schema up to date, after a backup where a former Kith has made it.
 * Processes that start at once make one backup. @returns the names of the migrations
 * @throws {OperatorError} if the backup or the migrations fail; then nothing has changed
 */
export async function upgradeDatabase(
  db: Db,
  deps: UpgradeDeps,
): Promise<string[]> {
  const { clock, isProtected, dataDir, say } = deps;
  if (!(await hasSchema(db))) return migrate(db, clock);
  const lock = await lockUpgrade(db, dataDir);
  try {
    if (isProtected && (await listPending(db.read)).length > 0)
      await makeOne(deps);
    return await migrate(db, clock, {
      onStep: (name, step, steps) =>
        say?.(`Upgrade ${step} of ${steps}: ${name}`),
    });
  } finally {
    lock?.release();
  }
}

/** Waits until no other process upgrades. @returns undefined if there is nothing to upgrade */
async function lockUpgrade(
  db: Db,
  dataDir: string,
): Promise<ReturnType<typeof takeFileLock>> {
  while ((await listPending(db.read)).length > 0) {
    const lock = takeFileLock(path.join(dataDir, LOCK));
    if (lock) return lock;
    await sleep(WAIT_MS);
  }
  return undefined;
}

async function makeOne(deps: UpgradeDeps): Promise<void> {
  const { backup, clock, plan, dataDir, say } = deps;
  const folder = path.join(dataDir, BEFORE_UPGRADE);
  const place = plan?.place ?? createFolderPlace(folder, clock);
  say?.(
    `The database has an older schema. A backup comes first: ${place.name}`,
  );
  const made = await makeBackup(
    plan ? backup : { ...backup, media: NO_MEDIA },
    place,
  );
  await place.prune(plan?.keep ?? KEPT_COPIES, made.path);
}

const NO_MEDIA: BackupDeps["media"] = {
  list: async function* () {},
  open: async () => undefined,
};
