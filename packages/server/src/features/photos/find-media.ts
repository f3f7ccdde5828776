import type { Viewer } from "../visibility/index.ts";
import type { Db } from "../../db/db.ts";
import type {
  ByteRange,
  MediaStore,
  StoredMedia,
} from "../../lib/media/media-store.ts";

import { findLimitedPhoto, findVisiblePhoto } from "./photo-queries.ts";
import {
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
};

type FindMediaDeps = { readonly db: Db; readonly media: MediaStore };

/** Finds a file by the last segment of its path, for a viewer who may see it. */
export async function findMedia(
  { db, media }: FindMediaDeps,
  name: string,
  viewer: Viewer,
): Promise<VisibleMedia | undefined> {
  const file = parseMediaName(name);
  if (!file) return undefined;
  const { guid } = file;
  const photo = await findVisiblePhoto(db.read, { guid }, viewer);
  const found = photo && fileOf(media, photo, file);
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
  {
    db,
    media,
    addresses,
  }: FindMediaDeps & { readonly addresses: SharedAddresses },
  secret: string,
  name: string,
): Promise<VisibleMedia | undefined> {
  const file = parseMediaName(name);
  if (!file || !addresses.isSecretOf(file.guid, secret)) return undefined;
  const photo = await findLimitedPhoto(db.read, file.guid);
  const found = photo && fileOf(media, photo, file);
  return found && { ...found, isPublic: false };
}

function fileOf(
  media: MediaStore,
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
  };
}
