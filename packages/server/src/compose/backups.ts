import { locateDatabase, type CommandInput } from "./command-input.ts";
import { makeBackup, type BackupDeps } from "../backups/make-backup.ts";
import { restoreBackup } from "../backups/restore-backup.ts";
import type { BackupPlan } from "../backups/back-up-job.ts";
import { createBucketPlace } from "../backups/places/bucket-place.ts";
import { createFolderPlace } from "../backups/places/folder-place.ts";
import { openSource, openTarget } from "../backups/open-place.ts";
import { upgradeDatabase } from "../backups/upgrade-database.ts";
import { verifyBackup } from "../backups/verify-backup.ts";
import type { Db } from "../db/db.ts";
import { openMedia } from "./storage.ts";
import { systemClock } from "../lib/time/clock.ts";

export type BackupCommands = ReturnType<typeof composeBackups>;

/** Backups of the server with these settings, without opening it. */
export function composeBackups(input: CommandInput) {
  const { config, secrets, secretKeyPlace } = input;
  const location = locateDatabase(config, secrets);
  const deps = {
    location,
    clock: systemClock,
    dataDir: config.dataDir,
    passphrase: secrets.backupPassphrase,
    findSecretKey: () => secretKeyPlace.find(),
  };
  // The bucket of uploads may also have the key for one of backups.
  const known = [secrets.backups, secrets.media].filter(
    (it) => it !== undefined,
  );
  return {
    make: async (
      destination: string,
      onProgress: NonNullable<Parameters<typeof makeBackup>[2]>["onProgress"],
    ) => {
      const target = openTarget(destination, systemClock, known);
      return makeBackup(backupDepsOf(input), target, { onProgress });
    },
    verify: async (
      backup: string,
      onProgress: (bytes: number, ofAll: number) => void,
    ) => verifyBackup({ ...deps, onProgress }, openSource(backup, known)),
    restore: async (
      backup: string,
      onProgress: (bytes: number, ofAll: number) => void,
    ) => restoreBackup({ ...deps, onProgress }, openSource(backup, known)),
  };
}

/** Brings the schema up to date, as the settings say. @returns the names of the migrations */
export function upgrade(input: CommandInput, db: Db): Promise<string[]> {
  const { config, say } = input;
  return upgradeDatabase(db, {
    ...{ say, clock: systemClock, dataDir: config.dataDir },
    backup: backupDepsOf(input),
    isProtected: config.backupBeforeUpgrade,
    plan: planOf(input),
  });
}

/** When and where the server makes backups of itself; null if it does not. */
export function planOf({
  config: { backups },
  secrets,
}: Pick<CommandInput, "config" | "secrets">): BackupPlan | null {
  if (backups === null) return null;
  const { folder, ...plan } = backups;
  if (secrets.backups)
    return { ...plan, place: createBucketPlace(secrets.backups, systemClock) };
  return folder === null
    ? null
    : { ...plan, place: createFolderPlace(folder, systemClock) };
}

/** The parts of a server that its backup needs. */
export function backupDepsOf({
  config,
  secrets,
  secretKeyPlace,
  version,
}: CommandInput): BackupDeps {
  return {
    location: locateDatabase(config, secrets),
    media: openMedia(config.dataDir, secrets.media),
    clock: systemClock,
    version,
    baseUrl: config.baseUrl,
    passphrase: secrets.backupPassphrase,
    findSecretKey: () => secretKeyPlace.find(),
  };
}
