import { createHash } from "node:crypto";
import {
  open,
  readdir,
  rm,
  stat,
  utimes,
  type FileHandle,
} from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../lib/errors.ts";
import { createFileMediaStore } from "../../lib/media/file-media-store.ts";
import { isUnfinished } from "../../lib/media/media-keys.ts";
import type {
  ByteRange,
  MediaStore,
  StoredMedia,
} from "../../lib/media/media-store.ts";
import type { Clock } from "../../lib/time/clock.ts";

/** A file of the cache. */
export type CachedFile = {
  /** Different for each name and each version. */
  readonly tag: string;
  readonly fetchedAt: Date;
  /** The first bytes, or all of a short file. */
  readonly head: Uint8Array;
  /** @returns undefined if the file was removed concurrently */
  readonly open: (part?: ByteRange) => Promise<StoredMedia | undefined>;
};

/** Files of other servers by their names, in a folder of bounded size. */
export type FileCache = {
  /** Counts as a use. */
  find(name: string): Promise<CachedFile | undefined>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
};

type FileCacheOptions = {
  readonly folder: string;
  /** Of all files together. */
  readonly maxBytes: number;
  readonly clock: Clock;
};

/** Enough to recognize a format, and for the description of a recording. */
const HEAD_BYTES = 4096;
/** Unfinished files of a stopped process are removed after this time. */
const UNFINISHED_MS = 3_600_000;
/**
 * The share of the budget that is left free at a cleaning, and the share that a
 * process stores between two of them: the budget holds for four processes that
 * share the folder, too.
 */
const FREE = 1 / 8;
const UNSEEN = 1 / 32;

/**
 * The folder has all state, so the cache survives a restart and can be shared
 * by several processes: the modification time of a file is when it was fetched,
 * the access time its last use.
 */
export function createFileCache({
  folder,
  maxBytes,
  clock,
}: FileCacheOptions): FileCache {
  const store = createFileMediaStore(folder);
  let unseenBytes = Infinity;
  let cleaning: Promise<void> | undefined;

  async function clean(): Promise<void> {
    unseenBytes = 0;
    const now = clock.now().getTime();
    await store.removeUnfinished(new Date(now - UNFINISHED_MS));
    await removeLeastRecentlyUsed(folder, maxBytes);
  }

  return {
    find: (name) => findFile(store, folder, keyOf(name), clock),
    put: async (name, bytes) => {
      const key = keyOf(name);
      await store.put(key, bytes);
      const now = clock.now();
      await unlessMissing(utimes(pathOf(folder, key), now, now));
      unseenBytes += bytes.length;
      if (unseenBytes < maxBytes * UNSEEN) return;
      cleaning ??= clean().finally(() => {
        cleaning = undefined;
      });
      await cleaning;
    },
    remove: (name) => store.remove(keyOf(name)),
  };
}

function keyOf(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}

function pathOf(folder: string, key: string): string {
  return path.join(folder, key.slice(0, 2), key);
}

async function findFile(
  store: Pick<MediaStore, "open">,
  folder: string,
  key: string,
  clock: Clock,
): Promise<CachedFile | undefined> {
  const file = await unlessMissing(open(pathOf(folder, key), "r"));
  if (!file) return undefined;
  try {
    const { mtime, size } = await file.stat();
    const head = await readHead(file);
    await file.utimes(clock.now(), mtime);
    return {
      tag: `"${key.slice(0, 24)}-${size.toString(36)}-${mtime.getTime().toString(36)}"`,
      fetchedAt: mtime,
      head,
      open: (part) => store.open(key, part),
    };
  } finally {
    await file.close();
  }
}

async function readHead(file: FileHandle): Promise<Uint8Array> {
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
  return head.subarray(0, bytesRead);
}

type CacheFile = {
  readonly path: string;
  readonly size: number;
  readonly usedAtMs: number;
};

/**
 * Removes the files that were not used for the longest time, if there is more than the limit,
 * as after it was lowered.
 * @returns the bytes that were freed
 */
export async function trimFolder(
  folder: string,
  maxBytes: number,
): Promise<number> {
  return (await isMissing(folder))
    ? 0
    : removeLeastRecentlyUsed(folder, maxBytes, maxBytes);
}

async function isMissing(folder: string): Promise<boolean> {
  return (await unlessMissing(stat(folder))) === undefined;
}

/** @returns the bytes that were freed, which is none up to `from` */
async function removeLeastRecentlyUsed(
  folder: string,
  maxBytes: number,
  from = maxBytes * (1 - FREE),
): Promise<number> {
  const files = await listFiles(folder);
  const before = files.reduce((sum, { size }) => sum + size, 0);
  if (before <= from) return 0;
  const target = maxBytes * (1 - FREE);
  let total = before;
  for (const file of files.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (total <= target) break;
    await rm(file.path, { force: true });
    total -= file.size;
  }
  return before - total;
}

async function listFiles(folder: string): Promise<CacheFile[]> {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  const files: CacheFile[] = [];
  for (const entry of entries) {
    // Another process is writing this one; an abandoned one has been removed before.
    if (!entry.isFile() || isUnfinished(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    // Another process may have removed it.
    const found = await unlessMissing(stat(file));
    if (found)
      files.push({ path: file, size: found.size, usedAtMs: found.atimeMs });
  }
  return files;
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
