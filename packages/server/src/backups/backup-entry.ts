import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { BackupFile } from "./manifest.ts";

/** A file on its way into a backup. */
export type BackupEntry = {
  readonly path: string;
  /**
   * Has every file of this path the same content? Then the previous backup's may be
   * used again.
   */
  readonly isImmutable: boolean;
  /** Undefined if it has been deleted meanwhile. */
  readonly open: () => Promise<EntryContent | undefined>;
};

export type EntryContent = {
  readonly size: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The file, if it is in the working folder already. */
  readonly file?: string;
};

/** Writes a backup: `list` gets a folder of its own for what it makes. @returns its path */
export type WriteBackup = (
  list: (workFolder: string) => AsyncGenerator<BackupEntry>,
  note: (file: BackupFile) => void,
) => Promise<string>;

export function textEntry(path: string, text: string): BackupEntry {
  const bytes = Buffer.from(text);
  return {
    path,
    isImmutable: false,
    open: async () => ({ size: bytes.length, chunks: each(bytes) }),
  };
}

async function* each(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** @param file in the working folder */
export function fileEntry(path: string, file: string): BackupEntry {
  return {
    path,
    isImmutable: false,
    open: async () => {
      const { size } = await stat(file);
      return { size, chunks: createReadStream(file), file };
    },
  };
}

/** Passes chunks on, and calls `note` with their size and hash after the last one. */
export async function* hashing(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  note: (file: BackupFile) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  note({ path, bytes, sha256: hash.digest("hex") });
}
