import { link, mkdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { writeToFile } from "../../lib/archives/write-to-file.ts";
import { syncFile, syncFolder } from "../../lib/media/durable-files.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import {
  hashing,
  type BackupEntry,
  type WriteBackup,
} from "../backup-entry.ts";
import { backupName, findNewest, unfinishedName } from "./backup-folder.ts";
import type { BackupFile } from "../manifest.ts";
import type { StoredBackup } from "./backup-place.ts";

/**
 * Writes a backup into a folder of backups, which the caller has locked. Files that
 * never change are links to those of the newest backup: they cost neither time nor
 * space, and each backup is whole without the others.
 */
export function writeFolderIn(parent: string, clock: Clock): WriteBackup {
  return async (list, note) => {
    const draft = path.join(parent, unfinishedName());
    const earlier = indexFiles(findNewest(parent));
    await mkdir(draft, { recursive: true, mode: 0o700 });
    try {
      const folders = new Set([draft]);
      for await (const entry of list(draft)) {
        const folder = path.dirname(path.join(draft, entry.path));
        await mkdir(folder, { recursive: true, mode: 0o700 });
        folders.add(folder).add(path.dirname(folder));
        await addEntry(draft, entry, earlier, note);
      }
      folders.delete(parent);
      for (const folder of folders) await syncFolder(folder);
      const whole = path.join(parent, backupName(timestamp(clock.now())));
      await rename(draft, whole);
      await syncFolder(parent);
      return whole;
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  };
}

type Earlier = ReadonlyMap<string, BackupFile & { readonly file: string }>;

function indexFiles(newest: StoredBackup | undefined): Earlier {
  const files = newest?.manifest.files ?? [];
  return new Map(
    files.map((known) => [
      known.path,
      { ...known, file: path.join(newest?.path ?? "", known.path) },
    ]),
  );
}

async function addEntry(
  draft: string,
  entry: BackupEntry,
  earlier: Earlier,
  note: (file: BackupFile) => void,
): Promise<void> {
  const target = path.join(draft, entry.path);
  const known = entry.isImmutable ? earlier.get(entry.path) : undefined;
  if (known && (await isLinked(known, target))) {
    const { path: name, bytes, sha256 } = known;
    return note({ path: name, bytes, sha256 });
  }
  const content = await entry.open();
  if (!content) return;
  const chunks = hashing(entry.path, content.chunks, note);
  if (content.file === target) for await (const _ of chunks);
  else await writeToFile(target, [chunks]);
  await syncFile(target);
}

/**
 * A file that was cut or written over since is not passed on: all backups would have it. Some file
 * systems have no hard links, or no more for one file.
 */
async function isLinked(
  { file, bytes }: { readonly file: string; readonly bytes: number },
  to: string,
): Promise<boolean> {
  try {
    if ((await stat(file)).size !== bytes) return false;
    await link(file, to);
    return true;
  } catch {
    return false;
  }
}
