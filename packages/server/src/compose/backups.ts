import { locateDatabase, type CommandInput } from "./command-input.ts";
import { makeBackup, type BackupDeps } from "../backups/make-backup.ts";
import { restoreBackup } from "../backups/restore-backup.ts";
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
  return {
    make: (
      destination: string,
      onProgress: NonNullable<Parameters<typeof makeBackup>[2]>["onProgress"],
    ) => makeBackup(backupDepsOf(input), destination, { onProgress }),
    verify: (
      backup: string,
      onProgress: (bytes: number, ofAll: number) => void,
    ) => verifyBackup({ ...deps, onProgress }, backup),
    restore: (
      backup: string,
      onProgress: (bytes: number, ofAll: number) => void,
    ) => restoreBackup({ ...deps, onProgress }, backup),
  };
}

/** Brings the schema up to date, as the settings say. @returns the names of the migrations */
export function upgrade(input: CommandInput, db: Db): Promise<string[]> {
  const { config, say } = input;
  return upgradeDatabase(db, {
    ...{ say, clock: systemClock, dataDir: config.dataDir },
    backup: backupDepsOf(input),
    isProtected: config.backupBeforeUpgrade,
    plan: config.backups,
  });
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
