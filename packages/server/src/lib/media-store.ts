import type { Readable } from "node:stream";

/** A stored file, ready to be read from its beginning. */
export type StoredMedia = { readonly stream: Readable; readonly size: number };

/**
 * Keeps files by key: 3 to 120 small letters, digits, `-`, `_` and `.`, the
 * first two of them letters or digits. What is stored never changes: a new
 * file has a new key.
 */
export type MediaStore = {
  /** When this resolves, the file outlives a power cut. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @returns undefined where there is no such file */
  open(key: string): Promise<StoredMedia | undefined>;
  /** A file that is not there is removed already. */
  remove(key: string): Promise<void>;
  /** Every file whose storing ended before `before`. */
  list(before: Date): AsyncIterable<string>;
  /** Removes what was begun before `before` and never finished. */
  removeUnfinished(before: Date): Promise<void>;
};
