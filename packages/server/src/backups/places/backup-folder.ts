import { readdirSync, readFileSync, statSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { takeFileLock } from "../../db/locks/file-lock.ts";
import { codeOf, messageOf, OperatorError } from "../../lib/errors.ts";
import { syncFolder } from "../../lib/media/durable-files.ts";
import { timestamp } from "../../lib/time/clock.ts";
import {
  MANIFEST,
  MANIFEST_SUM,
  parseManifest,
  type Manifest,
} from "../manifest.ts";
import type { StoredBackup } from "./backup-place.ts";

// A folder of backups: each is a folder `kith-TIME` in it. Names that begin
// differently are backups in the making, or half removed.

const UNFINISHED = "unfinished-";
const REMOVED = "removed-";
const LOCK = "backup.lock";
/** The name of a whole backup. */
export const IS_BACKUP_NAME = /^kith-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** @param takenAt RFC 3339 */
export function backupName(takenAt: string): string {
  return `kith-${takenAt.replaceAll(":", "-")}`;
}

export function unfinishedName(): string {
  return `${UNFINISHED}${randomBytes(6).toString("hex")}`;
}

/**
 * Lists the whole backups of a folder, the newest first: those whose description is
 * undamaged, and whose files have their sizes.
 */
export function listBackups(folder: string): StoredBackup[] {
  return listNames(folder)
    .filter((name) => IS_BACKUP_NAME.test(name))
    .toSorted()
    .reverse()
    .flatMap((name) => findBackup(path.join(folder, name)) ?? []);
}

/**
 * The newest whole backup of a folder.
 * @param before only those that were made until then
 */
export function findNewest(
  folder: string,
  before?: Date,
): StoredBackup | undefined {
  const last = before && backupName(timestamp(before));
  for (const name of listNames(folder).toSorted().reverse()) {
    if (!IS_BACKUP_NAME.test(name) || (last !== undefined && name > last))
      continue;
    const found = findBackup(path.join(folder, name));
    if (found) return found;
  }
  return undefined;
}

/** The description of one backup. @throws {OperatorError} */
export function readManifest(backup: string): Manifest {
  const read = (name: string): string => {
    try {
      return readFileSync(path.join(backup, name), "utf8");
    } catch (error) {
      throw new OperatorError(
        `${backup} is no whole backup: ${name} cannot be read (${codeOf(error) ?? messageOf(error)}).`,
      );
    }
  };
  return parseManifest(read(MANIFEST), read(MANIFEST_SUM));
}

function findBackup(backup: string): StoredBackup | undefined {
  try {
    const manifest = readManifest(backup);
    const isWhole = manifest.files.every(
      ({ path: name, bytes }) =>
        statSync(path.join(backup, name), { throwIfNoEntry: false })?.size ===
        bytes,
    );
    return isWhole ? { path: backup, manifest } : undefined;
  } catch {
    return undefined;
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw new OperatorError(
      `The folder of backups ${folder} cannot be read (${codeOf(error) ?? messageOf(error)}).`,
    );
  }
}

/**
 * Runs `work` while no other process writes to this folder of backups, and removes
 * what a killed one has left behind. @throws {OperatorError}
 */
export async function withFolder<T>(
  folder: string,
  work: () => Promise<T>,
): Promise<T> {
  const lock = lockFolder(folder);
  try {
    for (const name of await readdir(folder))
      if (name.startsWith(UNFINISHED) || name.startsWith(REMOVED))
        await rm(path.join(folder, name), { recursive: true, force: true });
    return await work();
  } finally {
    lock.release();
  }
}

function lockFolder(folder: string) {
  let lock;
  try {
    lock = takeFileLock(path.join(folder, LOCK));
  } catch (error) {
    throw new OperatorError(
      `The folder of backups ${folder} cannot be written to (${codeOf(error) ?? messageOf(error)}).`,
    );
  }
  if (!lock)
    throw new OperatorError(
      `Another backup into ${folder} is running. Try again when it has ended.`,
    );
  return lock;
}

/**
 * Removes all but the `keep` newest whole backups. Broken ones stay for the operator,
 * and count as none, so that the last good one is never removed.
 * @param made the one that was just made: those with a later name stay and do not count
 * @returns the paths of the removed ones
 */
export async function pruneBackups(
  folder: string,
  keep: number,
  made?: string,
): Promise<string[]> {
  const old = listBackups(folder)
    // A later name is of a clock that was wrong, and says nothing of its age.
    .filter(({ path: backup }) => made === undefined || backup <= made)
    .slice(Math.max(1, keep));
  for (const backup of old) {
    // Under another name first: half removed, it is no backup.
    const removed = path.join(
      folder,
      `${REMOVED}${path.basename(backup.path)}`,
    );
    await rename(backup.path, removed);
    await syncFolder(folder);
    await rm(removed, { recursive: true, force: true });
  }
  return old.map(({ path: removed }) => removed);
}
