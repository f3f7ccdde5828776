import { createReadStream } from "node:fs";
import { lstat, stat } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { extract as createExtract } from "tar-stream";
import { codeOf, messageOf, OperatorError } from "../lib/errors.ts";
import {
  compareFiles,
  missingFile,
  takeFile,
  type ReadingBackup,
  type ReadOptions,
} from "./check-files.ts";
import {
  isBackupPath,
  MANIFEST,
  MANIFEST_SUM,
  parseManifest,
  type BackupFile,
  type Manifest,
} from "./manifest.ts";
import { listBackups, readManifest } from "./places/backup-folder.ts";
import { readBucketBackup, type BucketBackup } from "./places/read-bucket.ts";

/** A folder or a file by its path, or one in a bucket. */
export type BackupSource = string | BucketBackup;

/** The manifest is small: it names files, and no more. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

/**
 * Reads all of a backup, checks each file against its checksum, and writes the wanted
 * ones into `folder`, durably. @throws {OperatorError} if anything is missing, damaged,
 * or not a backup's
 */
export async function readBackup(
  backup: BackupSource,
  folder: string,
  options: ReadOptions,
): Promise<Manifest> {
  if (typeof backup !== "string")
    return readBucketBackup(backup, folder, options);
  const found = await stat(backup).catch((error: unknown) => {
    throw new OperatorError(
      codeOf(error) === "ENOENT"
        ? `There is no backup at ${backup}.`
        : `The backup ${backup} cannot be read: ${messageOf(error)}.`,
    );
  });
  return found.isDirectory()
    ? readFolder(backup, folder, options)
    : readArchive(backup, folder, { ...options, ofAll: found.size });
}

async function readFolder(
  backup: string,
  folder: string,
  options: ReadOptions,
): Promise<Manifest> {
  const [newest] = listBackups(backup);
  if (newest)
    throw new OperatorError(
      `${backup} holds several backups. Name one of them, such as ${newest.path}, the newest.`,
    );
  const manifest = readManifest(backup);
  const found: BackupFile[] = [];
  const ofAll = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const reading = { ...options, ofAll };
  for (const { path: name } of manifest.files) {
    const file = path.join(backup, name);
    if (!(await isPlainFile(file))) throw missingFile(name);
    await takeFile(createReadStream(file), name, folder, reading, found);
  }
  compareFiles(manifest, found);
  return manifest;
}

async function isPlainFile(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isFile();
  } catch {
    return false;
  }
}

async function readArchive(
  archive: string,
  folder: string,
  options: ReadingBackup,
): Promise<Manifest> {
  const found: BackupFile[] = [];
  const texts = new Map<string, string>();
  const extract = createExtract();
  const reading = pipeline(createReadStream(archive), extract);
  // If an entry is refused, that is the error, and not the end of the reading.
  reading.catch(() => {});
  try {
    for await (const entry of extract) {
      const { name, type, size = 0 } = entry.header;
      const isText = name === MANIFEST || name === MANIFEST_SUM;
      const isKnown = found.some((file) => file.path === name);
      if (type !== "file" || !(isText || isBackupPath(name)) || isKnown)
        throw new OperatorError(
          `The archive has an entry that no backup of Kith's has: ${JSON.stringify(name)} (${String(type)}).`,
        );
      if (!isText) await takeFile(bytesOf(entry), name, folder, options, found);
      else if (texts.has(name) || size > MAX_MANIFEST_BYTES)
        throw new OperatorError(`The archive has a strange ${name}.`);
      else texts.set(name, (await buffer(entry)).toString());
    }
    await reading;
  } catch (error) {
    throw unreadable(archive, error);
  }
  const [text, sum] = [texts.get(MANIFEST), texts.get(MANIFEST_SUM)];
  if (text === undefined || sum === undefined)
    throw new OperatorError(
      `${archive} is no whole backup: its end is missing.`,
    );
  const manifest = parseManifest(text, sum);
  compareFiles(manifest, found);
  return manifest;
}

async function* bytesOf(
  chunks: AsyncIterable<unknown>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks)
    if (chunk instanceof Uint8Array) yield chunk;
}

/** The system's own errors, such as EIO, have a code of this form. */
const IS_SYSTEMS = /^E(?!RR)[A-Z0-9]+$/;

function unreadable(archive: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  return new OperatorError(
    IS_SYSTEMS.test(codeOf(error) ?? "")
      ? `${archive} cannot be read: ${messageOf(error)}.`
      : `${archive} is no backup, or it is damaged or its end is missing: ${messageOf(error)}.`,
  );
}
