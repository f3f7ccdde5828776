import type { Db, Tx } from "../../db/db.ts";
import {
  DONE,
  jobKind,
  recurringKind,
  type JobHandler,
} from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { ProcessedImage } from "../../lib/images/image.ts";
import type { MediaStore } from "../../lib/media/media-store.ts";
import { listStoredGuids } from "./photo-queries.ts";
import { deleteForgotten, type DeletedPhoto } from "./photo-store.ts";
import { guidOfKey, mediaKey } from "./photo.ts";

type RemovedMedia = {
  readonly keys: readonly string[];
  /** Of files of other servers. */
  readonly urls?: readonly string[];
};

/** The job that deletes the files of deleted photos, and the copies of those of other servers. */
export const REMOVE_MEDIA = jobKind<RemovedMedia>("remove-media");

/** The job that sweeps photos without a post and files without a photo. */
export const SWEEP_MEDIA = recurringKind("sweep-media");

export type PhotoFilesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly media: MediaStore;
};

const HOUR_MS = 3_600_000;
/** How long a photo may wait for its post. */
const WAIT_MS = 24 * HOUR_MS;
const SWEEP_EVERY_MS = HOUR_MS;
const SWEPT_AT_ONCE = 200;
/** A thread from elsewhere may have thousands of pictures. */
const NAMES_OF_A_JOB = 500;

/** The files of a photo that is not stored yet. */
export type NewFiles = Pick<ProcessedImage, "mediaType" | "files">;

type Files = Omit<DeletedPhoto, "urls">;

function keysOf({ guid, mediaType, sizes }: Files): string[] {
  return sizes.map((size) => mediaKey(guid, mediaType, size));
}

/** Stores every size, or none if one fails. */
export async function keepFiles(
  { media }: Pick<PhotoFilesDeps, "media">,
  guid: string,
  image: NewFiles,
): Promise<void> {
  try {
    for (const { size, bytes } of image.files)
      await media.put(mediaKey(guid, image.mediaType, size), bytes);
  } catch (error) {
    await dropFiles({ media }, guid, image);
    throw error;
  }
}

/** Deletes the files of a photo that was not stored. */
export async function dropFiles(
  { media }: Pick<PhotoFilesDeps, "media">,
  guid: string,
  { mediaType, files }: NewFiles,
): Promise<void> {
  const sizes = files.map(({ size }) => size);
  for (const key of keysOf({ guid, mediaType, sizes })) await media.remove(key);
}

/**
 * Enqueues the deletion of the files of deleted photos, which runs once the transaction has
 * committed.
 */
export async function removeFilesLater(
  { clock, jobs }: Pick<PhotoFilesDeps, "clock" | "jobs">,
  tx: Tx,
  deleted: readonly (Files & Partial<DeletedPhoto>)[],
): Promise<void> {
  const keys = deleted.flatMap(keysOf);
  const urls = [...new Set(deleted.flatMap((photo) => photo.urls ?? []))];
  for (let at = 0; at < keys.length; at += NAMES_OF_A_JOB)
    await jobs.enqueue(tx, REMOVE_MEDIA, {
      keys: keys.slice(at, at + NAMES_OF_A_JOB),
    });
  // Somebody may fetch a copy again before the other server has deleted the file.
  const again = { runAt: later(clock.now(), HOUR_MS) };
  for (let at = 0; at < urls.length; at += NAMES_OF_A_JOB) {
    const removed = { keys: [], urls: urls.slice(at, at + NAMES_OF_A_JOB) };
    await jobs.enqueue(tx, REMOVE_MEDIA, removed);
    await jobs.enqueue(tx, REMOVE_MEDIA, removed, again);
  }
}

/** @param forgetRemote removes the copy of a file of another server */
export function createRemoveMedia(
  { media }: Pick<PhotoFilesDeps, "media">,
  forgetRemote: (url: string) => Promise<void>,
): JobHandler<RemovedMedia> {
  return async ({ keys, urls = [] }) => {
    for (const key of keys) await media.remove(key);
    for (const url of urls) await forgetRemote(url);
    return DONE;
  };
}

/**
 * Every hour, deletes photos that never got a post, and the remains of crashes: unfinished
 * files and files without a photo.
 */
export function createSweepMedia(
  deps: PhotoFilesDeps,
): JobHandler<Record<string, never>> {
  const { db, clock, media } = deps;
  return async (_payload, { signal }) => {
    const now = clock.now();
    const before = later(now, -WAIT_MS);
    await db.transaction(async (tx) => {
      const forgotten = await deleteForgotten(tx, timestamp(before));
      await removeFilesLater(deps, tx, forgotten);
    });
    await media.removeUnfinished(later(now, -HOUR_MS));
    await removeOrphans(deps, before, signal);
    return { kind: "again", afterMs: SWEEP_EVERY_MS };
  };
}

async function removeOrphans(
  { db, media }: PhotoFilesDeps,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  let keys: string[] = [];
  const removeUnknown = async (): Promise<void> => {
    const files = keys.map((key) => ({ key, guid: guidOfKey(key) }));
    const guids = files.flatMap(({ guid }) => guid ?? []);
    const known = await listStoredGuids(db.read, guids);
    for (const { key, guid } of files)
      if (guid !== undefined && !known.has(guid)) await media.remove(key);
    keys = [];
  };
  for await (const key of media.list(before)) {
    if (signal.aborted) return;
    keys.push(key);
    if (keys.length >= SWEPT_AT_ONCE) await removeUnknown();
  }
  await removeUnknown();
}
