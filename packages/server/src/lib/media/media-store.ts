import type { Readable } from "node:stream";
import type { SignedFile } from "../object-store/sign-address.ts";

/** The first and the last byte of a part of a file. */
export type ByteRange = { readonly start: number; readonly end: number };

export type FolderSize = { readonly files: number; readonly bytes: number };

/** A stored file, ready to be read; the size is that of the whole. */
export type StoredMedia = { readonly stream: Readable; readonly size: number };

/**
 * Stores files by key: 3 to 120 lowercase letters, digits, `-`, `_` and `.`,
 * the first two of them letters or digits. A stored file never changes: a new
 * file has a new key.
 */
export type MediaStore = {
  /** When this resolves, the file survives a power cut. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Stores a file under another key, too, without copying its bytes where the
   * file system can. A missing file is left out.
   * @param at both count as stored at this time from now on
   */
  copy(key: string, to: string, at: Date): Promise<void>;
  /**
   * @param part a byte range; the whole file by default
   * @returns undefined if there is no such file
   */
  open(key: string, part?: ByteRange): Promise<StoredMedia | undefined>;
  /**
   * An address at which the store itself sends the file, for a while, to anybody.
   * @returns undefined if it must be sent from here; the file need not exist
   */
  addressOf?(key: string, file: SignedFile): Promise<string | undefined>;
  /** Idempotent: a missing file counts as removed. */
  remove(key: string): Promise<void>;
  /** Every file that was stored before `before`, see also {@link EVER}. */
  list(before: Date): AsyncIterable<string>;
  /** How many files there are, and their bytes. Looks at each. */
  measure(): Promise<FolderSize>;
  /** Removes incomplete files that were started before `before`. */
  removeUnfinished(before: Date): Promise<void>;
};

/** Later than any file, whatever the clock said when it was stored. */
export const EVER = new Date(8.64e15);
