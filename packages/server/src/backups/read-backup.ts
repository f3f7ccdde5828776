import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { extract as createExtract } from "tar-stream";
import { codeOf, messageOf, OperatorError } from "../lib/errors.ts";
import { syncFile } from "../lib/media/durable-files.ts";
import { hashing } from "./backup-entry.ts";
import { listBackups, readManifest } from "./backup-folder.ts";
import {
  isBackupPath,
  MANIFEST,
  MANIFEST_SUM,
  parseManifest,
  type BackupFile,
  type Manifest,
} from "./manifest.ts";

export type ReadOptions = {
  /** Chooses the files that are written; the others are only checked. */
  readonly isKept: (path: string) => boolean;
  /** Is called with the bytes of each file, and of how many all are, about. */
  readonly onProgress?: ((bytes: number, ofAll: number) => void) | undefined;
};

type Reading = ReadOptions & { readonly ofAll: number };

/** The manifest is small: it names files, and no more. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

/**
 * Reads all of a backup, checks each file against its checksum, and writes the wanted
 * ones into `folder`, durably. @throws {OperatorError} if anything is missing, damaged,
 * or not a backup's
 */
export async function readBackup(
  backup: string,
  folder: string,
  options: ReadOptions,
): Promise<Manifest> {
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
    if (!(await isPlainFile(file))) throw missing(name);
    await take(createReadStream(file), name, folder, reading, found);
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
  options: Reading,
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
      if (!isText) await take(bytesOf(entry), name, folder, options, found);
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

async function take(
  content: AsyncIterable<Uint8Array>,
  name: string,
  folder: string,
  { isKept, onProgress, ofAll }: Reading,
  found: BackupFile[],
): Promise<void> {
  const chunks = hashing(name, content, (file) => {
    found.push(file);
    onProgress?.(file.bytes, ofAll);
  });
  if (!isKept(name)) return pipeline(chunks, ignored());
  const target = path.join(folder, name);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const sink = createWriteStream(target, { flags: "wx", mode: 0o600 });
  await pipeline(chunks, sink);
  await syncFile(target);
}

function ignored(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** @throws {OperatorError} where a file is missing, changed, or not in the manifest */
function compareFiles(manifest: Manifest, found: readonly BackupFile[]): void {
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  for (const file of found) {
    const expected = listed.get(file.path);
    if (!expected)
      throw new OperatorError(
        `The backup has a file that its manifest does not name: ${file.path}.`,
      );
    if (expected.bytes !== file.bytes || expected.sha256 !== file.sha256)
      throw new OperatorError(
        `The backup is damaged: ${file.path} is not what was written.`,
      );
    listed.delete(file.path);
  }
  const [first] = listed.keys();
  if (first !== undefined) throw missing(first);
}

function missing(name: string): OperatorError {
  return new OperatorError(`The backup is damaged: ${name} is missing.`);
}
