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

/** A file of a picture, for somebody who may see it. */
export type VisibleMedia = {
  readonly mediaType: string;
  /** May everybody see it? */
  readonly isPublic: boolean;
  /** The same as long as the file is the same, which is for ever. */
  readonly tag: string;
  /** @returns undefined where the file was removed meanwhile */
  readonly open: (part?: ByteRange) => Promise<StoredMedia | undefined>;
};

type FindMediaDeps = { readonly db: Db; readonly media: MediaStore };

/** A file by the last part of its path, for a viewer who may see it. */
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

/** A file of a picture of a limited post, for whoever knows its address. Who does not learns nothing, not even by the time that it takes. */
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
