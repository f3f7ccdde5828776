import type { Viewer } from "../visibility/index.ts";
import type { Db } from "../../db/db.ts";
import type {
  ByteRange,
  MediaStore,
  StoredMedia,
} from "../../lib/media/media-store.ts";

import { findLimitedPhoto, findVisiblePhoto } from "./photo-queries.ts";
import type { Clock } from "../../lib/time/clock.ts";
import {
  kindOfPhoto,
  mediaKey,
  parseMediaName,
  type MediaFile,
  type Photo,
} from "./photo.ts";
import type { SharedAddresses } from "./shared-address.ts";

/** A file of a photo, for a viewer who may see it. */
export type VisibleMedia = {
  readonly mediaType: string;
  /** May everyone see it? */
  readonly isPublic: boolean;
  /** The ETag. Files never change, so it is valid for ever. */
  readonly tag: string;
  /** @returns undefined if the file was deleted concurrently */
  readonly open: (part?: ByteRange) => Promise<StoredMedia | undefined>;
  /** Where the store itself sends it, for a while; undefined if it does not. */
  readonly findAddress: () => Promise<string | undefined>;
};

type FindMediaDeps = {
  readonly db: Db;
  readonly media: MediaStore;
  readonly clock: Clock;
};

/** A reader who may no longer see a file keeps its signed address for so long. */
const PICTURE_S = 5 * 60;
/** A player asks for one part after the other at the same address. */
const RECORDING_S = 3600;

/** Finds a file by the last segment of its path, for a viewer who may see it. */
export async function findMedia(
  deps: FindMediaDeps,
  name: string,
  viewer: Viewer,
): Promise<VisibleMedia | undefined> {
  const file = parseMediaName(name);
  if (!file) return undefined;
  const { guid } = file;
  const { db } = deps;
  const photo = await findVisiblePhoto(db.read, { guid }, viewer);
  const found = photo && fileOf(deps, photo, file);
  if (!found) return undefined;
  const forEverybody =
    viewer === null || (await findVisiblePhoto(db.read, { guid }, null));
  return { ...found, isPublic: Boolean(forEverybody) };
}

/**
 * Finds a file of a limited post's photo by its secret address. Without the secret a
 * request reveals nothing, not even by its timing.
 */
export async function findSharedMedia(
  deps: FindMediaDeps & { readonly addresses: SharedAddresses },
  secret: string,
  name: string,
): Promise<VisibleMedia | undefined> {
  const file = parseMediaName(name);
  if (!file || !deps.addresses.isSecretOf(file.guid, secret)) return undefined;
  const photo = await findLimitedPhoto(deps.db.read, file.guid);
  const found = photo && fileOf(deps, photo, file);
  return found && { ...found, isPublic: false };
}

function fileOf(
  { media, clock }: FindMediaDeps,
  photo: Photo,
  { guid, size, extension }: MediaFile,
): Omit<VisibleMedia, "isPublic"> | undefined {
  if (!photo.sizes.includes(size)) return undefined;
  const key = mediaKey(guid, photo.mediaType, size);
  if (!key.endsWith(`.${extension}`)) return undefined;
  return {
    mediaType: photo.mediaType,
    tag: `"${guid}-${size}"`,
    open: (part) => media.open(key, part),
    findAddress: async () =>
      media.addressOf?.(key, {
        mediaType: photo.mediaType,
        seconds: kindOfPhoto(photo) === "picture" ? PICTURE_S : RECORDING_S,
        now: clock.now(),
      }),
  };
}
