import type { Photo } from "./entities/post-types.ts";

/**
 * The versions of each photo that a server stores, with the prefix of the file name: the original, 50×50 pixels filled,
 * at most 100×100, at most 300 wide and 1500 high, at most 700 wide.
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
 * The URL of a photo in one of its sizes. Pods request all of them, so a diaspora* server must have all; other servers may
 * have only the original.
 * @see diaspora* federation protocol, Photo
 */
export function photoUrl(
  photo: Pick<Photo, "remotePhotoPath" | "remotePhotoName">,
  size: PhotoSize = "original",
): string {
  const prefix = PHOTO_PREFIXES[size];
  return `${photo.remotePhotoPath}${prefix}${photo.remotePhotoName}`;
}
