import type { Readable } from "node:stream";

/** The first and the last byte of a part of a file. */
export type ByteRange = { readonly start: number; readonly end: number };

/** A stored file, ready to be read; the size is that of the whole. */
export type StoredMedia = { readonly stream: Readable; readonly size: number };

/**
 * Keeps files by key: 3 to 120 small letters, digits, `-`, `_` and `.`, the
 * first two of them letters or digits. What is stored never changes: a new
 * file has a new key.
 */
export type MediaStore = {
  /** When this resolves, the file outlives a power cut. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * @param part which bytes of it, the whole file where it is not given
   * @returns undefined where there is no such file
   */
  open(key: string, part?: ByteRange): Promise<StoredMedia | undefined>;
  /** A file that is not there is removed already. */
  remove(key: string): Promise<void>;
  /** Every file whose storing ended before `before`. */
  list(before: Date): AsyncIterable<string>;
  /** Removes what was begun before `before` and never finished. */
  removeUnfinished(before: Date): Promise<void>;
};
