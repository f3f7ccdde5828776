import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { codeOf, OperatorError } from "../../lib/errors.ts";
import { writeToFile } from "../../lib/archives/write-to-file.ts";
import { syncFile, syncFolder } from "../../lib/media/durable-files.ts";
import { writeTar, type TarEntry } from "../../lib/media/tar.ts";
import type { Clock } from "../../lib/time/clock.ts";
import {
  hashing,
  type BackupEntry,
  type WriteBackup,
} from "../backup-entry.ts";
import type { BackupFile } from "../manifest.ts";

/** Backups in one file end so; all others are folders. */
export const ARCHIVE_ENDING = ".tar";

/** Writes a backup into one file. An existing one is never replaced. */
export function writeArchiveTo(file: string, clock: Clock): WriteBackup {
  return async (list, note) => {
    if (existsSync(file)) throw taken(file);
    const draft = `${file}.unfinished-${randomBytes(6).toString("hex")}`;
    const work = `${draft}-work`;
    try {
      await mkdir(work, { recursive: true, mode: 0o700 });
      const packed = writeTar(toTar(list(work), note), clock.now());
      await writeToFile(draft, [packed]);
      await syncFile(draft);
      await publish(draft, file);
      await syncFolder(path.dirname(path.resolve(file)));
      return file;
    } finally {
      await rm(work, { recursive: true, force: true });
      await rm(draft, { force: true });
    }
  };
}

async function* toTar(
  entries: AsyncIterable<BackupEntry>,
  note: (file: BackupFile) => void,
): AsyncGenerator<TarEntry> {
  for await (const entry of entries) {
    const content = await entry.open();
    if (!content) continue;
    const chunks = hashing(entry.path, content.chunks, note);
    yield { path: entry.path, content: { size: content.size, chunks } };
  }
}

/** A link, unlike a new name, replaces nothing. */
async function publish(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw taken(file);
    // Some file systems have no hard links.
    await rename(draft, file);
  }
}

function taken(file: string): OperatorError {
  return new OperatorError(
    `${file} exists already, and is not replaced. Choose another name.`,
  );
}
