import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { takeFileLock } from "../../db/locks/file-lock.ts";
import { KithError } from "../../lib/errors.ts";
import type { UserId } from "../ids.ts";

/** The unpacked files of one import. */
export type ImportFolder = {
  readonly files: string;
  /** Deletes it with all files. */
  readonly remove: () => Promise<void>;
};

/**
 * Creates the folder of a user's import. An account has one at a time, on whichever of the
 * machines that share the folder: files that an import left when its process was killed are deleted.
 * @param root of the imports of all accounts
 * @throws {KithError} `conflict` while another import of the account is running
 */
export async function openImportFolder(
  root: string,
  userId: UserId,
): Promise<ImportFolder> {
  await sweepImportFolders(root);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const name = String(userId);
  const lock = takeFileLock(lockOf(root, name));
  if (!lock)
    throw new KithError(
      "conflict",
      "An import for this account is running already.",
    );
  const folder = path.join(root, name);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    await removeFolder();
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    files: path.join(folder, "files"),
    remove: async () => {
      await removeFolder().finally(() => lock.release());
    },
  };
}

/** Deletes the files of imports whose processes were killed. */
export async function sweepImportFolders(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names) {
    const lock = takeFileLock(lockOf(root, name));
    if (!lock) continue;
    await rm(path.join(root, name), { recursive: true, force: true }).finally(
      () => lock.release(),
    );
  }
}

/** An empty file, which stays: if locks were deleted, two processes could hold one. */
const lockOf = (root: string, name: string): string =>
  path.join(`${root}-locks`, `${name}.lock`);
