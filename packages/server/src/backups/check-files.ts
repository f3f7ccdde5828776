import { mkdir } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { writeToFile } from "../lib/archives/write-to-file.ts";
import { codeOf, messageOf, OperatorError } from "../lib/errors.ts";
import { syncFile } from "../lib/media/durable-files.ts";
import { hashing } from "./backup-entry.ts";
import type { BackupFile, Manifest } from "./manifest.ts";

export type ReadOptions = {
  /** Chooses the files that are written; the others are only checked. */
  readonly isKept: (path: string) => boolean;
  /** Is called with the bytes of each file, and of how many all are, about. */
  readonly onProgress?: ((bytes: number, ofAll: number) => void) | undefined;
};

export type ReadingBackup = ReadOptions & { readonly ofAll: number };

/** Checks one file of a backup, and writes it into the folder if it is wanted. */
export async function takeFile(
  content: AsyncIterable<Uint8Array>,
  name: string,
  folder: string,
  { isKept, onProgress, ofAll }: ReadingBackup,
  found: BackupFile[],
): Promise<void> {
  const chunks = hashing(name, content, (file) => {
    found.push(file);
    onProgress?.(file.bytes, ofAll);
  });
  if (!isKept(name)) return pipeline(chunks, ignored());
  const target = path.join(folder, name);
  try {
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await writeToFile(target, [chunks]);
    await syncFile(target);
  } catch (error) {
    // Only writing fails with these: it is not the backup that cannot be read.
    if (!OF_FULL_DISKS.has(codeOf(error) ?? "")) throw error;
    throw new NoRoom(path.dirname(folder), error);
  }
}

const OF_FULL_DISKS = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The files of a backup do not fit into the folder to which they are written. */
export class NoRoom extends OperatorError {
  constructor(folder: string, cause: unknown) {
    super(
      `There is no room in ${folder} for the files of the backup: ${messageOf(cause)}.`,
    );
    this.name = "NoRoom";
  }
}

function ignored(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** @throws {OperatorError} where a file is missing, changed, or not in the manifest */
export function compareFiles(
  manifest: Manifest,
  found: readonly BackupFile[],
): void {
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
  if (first !== undefined) throw missingFile(first);
}

export function missingFile(name: string): OperatorError {
  return new OperatorError(`The backup is damaged: ${name} is missing.`);
}
