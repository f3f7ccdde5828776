import { randomUUID } from "node:crypto";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { codeOf, KithError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";

/** The unpacked files of one import. */
export type ImportFolder = {
  readonly files: string;
  /** Deletes it with all files. */
  readonly remove: () => Promise<void>;
};

/**
 * Creates the folder of a user's import. An account has one at a time: files that an import left
 * when its process was killed are deleted.
 * @param root of the imports of all accounts, on this machine
 * @throws {KithError} `conflict` while another import of the account is running
 */
export async function openImportFolder(
  root: string,
  userId: UserId,
  clock: Clock,
): Promise<ImportFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await sweepImportFolders(root, clock);
  const folder = path.join(root, String(userId));
  // It has its owner from the beginning.
  const made = await mkdtemp(path.join(root, "new-"));
  await writeFile(path.join(made, OWNER), String(process.pid), { mode: 0o600 });
  while (!(await isMoved(made, folder))) {
    if (await isOwned(folder)) {
      await rm(made, { recursive: true });
      throw new KithError(
        "conflict",
        "An import for this account is running already.",
      );
    }
    await discard(folder);
  }
  return {
    files: path.join(folder, "files"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Deletes the files of imports whose processes were killed. */
export async function sweepImportFolders(
  root: string,
  clock: Clock,
): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names) {
    const folder = path.join(root, name);
    if (!(await isOwned(folder)) && (await isOld(folder, clock)))
      await discard(folder);
  }
}

/** Deletes a folder without an owner, unless another process has taken its place meanwhile. */
async function discard(folder: string): Promise<void> {
  const away = path.join(path.dirname(folder), `old-${randomUUID()}`);
  try {
    await rename(folder, away);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  if ((await isOwned(away)) && (await isMoved(away, folder))) return;
  await rm(away, { recursive: true, force: true });
}

const OWNER = "pid";
/** A process has named itself by then. */
const OLD_MS = 60_000;

async function isOld(folder: string, clock: Clock): Promise<boolean> {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
  return clock.now().getTime() - mtimeMs > OLD_MS;
}

async function isMoved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}

/** Does the process of an import still run? */
async function isOwned(folder: string): Promise<boolean> {
  const text = await readFile(path.join(folder, OWNER), "utf8").catch(() => "");
  const pid = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
