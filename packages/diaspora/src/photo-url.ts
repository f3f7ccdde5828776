import type { Photo } from "./entities/post-types.ts";

/**
 * What a server keeps of each photo, and the prefix of its file's name: as it is, 50×50 pixels filled, at most 100×100,
 * at most 300 wide and 1500 high, at most 700 wide.
 */
export const PHOTO_PREFIXES = {
  original: "",
  small: "thumb_small_",
  medium: "thumb_medium_",
  large: "thumb_large_",
  scaled: "scaled_full_",
} as const;

/** A size in which pods show photos. */
export type PhotoSize = keyof typeof PHOTO_PREFIXES;

/**
 * Where a photo lies in one of its sizes. Pods ask for all of them, so a server has to have all; others may have the
 * original only.
 * @see diaspora* federation protocol, Photo
 */
export function photoUrl(
  photo: Pick<Photo, "remotePhotoPath" | "remotePhotoName">,
  size: PhotoSize = "original",
): string {
  const prefix = PHOTO_PREFIXES[size];
  return `${photo.remotePhotoPath}${prefix}${photo.remotePhotoName}`;
}
