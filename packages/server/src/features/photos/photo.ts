import type { Timestamp } from "../../lib/time/clock.ts";
import type { ImageSize } from "../../lib/images/image.ts";
import type { AspectId, PersonId, PhotoId, PostId } from "../ids.ts";

/** A picture: one of a person here, or one that a post from elsewhere points to. */
export type Photo = {
  readonly id: PhotoId;
  readonly guid: string;
  readonly personId: PersonId;
  /** null while it waits for its post, and for a person's own picture. */
  readonly postId: PostId | null;
  /** The aspect that alone may get it. */
  readonly aspectId: AspectId | null;
  /** The description for those who do not see it. */
  readonly text: string;
  /** Pixels of the largest size; 0 where another server does not say. */
  readonly width: number;
  readonly height: number;
  /** Empty where another server does not say. */
  readonly blurhash: string;
  /** What must stay visible where it is cut: x to the right and y upwards, both from -1 to 1; null where nobody says. */
  readonly focus: readonly [x: number, y: number] | null;
  /** Empty where another server does not say. */
  readonly mediaType: string;
  /** Where the picture is on its own server; null for those stored here. */
  readonly remote: {
    readonly url: string;
    readonly thumbnailUrl: string;
  } | null;
  /** What is stored here. */
  readonly sizes: readonly ImageSize[];
  /** Is it the picture of a person? */
  readonly isProfile: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export type PhotoKey = { readonly id: PhotoId } | { readonly guid: string };

/** Below this path every file of a picture has the name that diaspora* servers expect. */
export const MEDIA_PATH = "/media/";

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/jpeg", "jpg"],
  ["image/png", "png"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
]);

const MEDIA_NAME =
  /^(?:(scaled_full|thumb_large|thumb_medium|thumb_small)_)?([0-9a-f]{32})\.(jpg|png|gif|webp)$/;

/** A file of a picture, as its name says. */
export type MediaFile = {
  readonly guid: string;
  readonly size: ImageSize;
  readonly extension: string;
};

/** Reads the name of a file of a picture. */
export function parseMediaName(name: string): MediaFile | undefined {
  const [, size = "full", guid, extension] = MEDIA_NAME.exec(name) ?? [];
  return guid === undefined || extension === undefined
    ? undefined
    : { guid, size: size as ImageSize, extension };
}

function extensionOf(mediaType: string): string {
  return EXTENSIONS.get(mediaType) ?? "jpg";
}

/** Key of a file in the store. */
export function mediaKey(
  guid: string,
  mediaType: string,
  size: ImageSize,
): string {
  return `${guid}-${size}.${extensionOf(mediaType)}`;
}

/** The Guid of the picture that a file in the store belongs to. */
export function guidOfKey(key: string): string | undefined {
  return /^([0-9a-f]{32})-/.exec(key)?.[1];
}

/** Name of a file in the folder of its picture. */
export function mediaName(
  guid: string,
  mediaType: string,
  size: ImageSize = "full",
): string {
  const name = `${guid}.${extensionOf(mediaType)}`;
  return size === "full" ? name : `${size}_${name}`;
}

/**
 * Where a picture is, absolute. Of one from elsewhere there are two sizes; one
 * that lacks a size has it as its largest.
 * @param folder of the files of a picture that is stored here, absolute, with a slash at its end
 */
export function photoUrl(
  photo: Photo,
  folder: string,
  size: ImageSize = "full",
): string {
  if (photo.remote)
    return size.startsWith("thumb_")
      ? photo.remote.thumbnailUrl
      : photo.remote.url;
  const present = photo.sizes.includes(size) ? size : photo.sizes[0];
  return folder + mediaName(photo.guid, photo.mediaType, present);
}

/** A file as it lies in the store, and as it is called outside of it. */
export type PhotoFile = { readonly key: string; readonly name: string };

/** The largest file of a picture that is stored here. */
export function largestFile({
  guid,
  mediaType,
  sizes,
}: Pick<Photo, "guid" | "mediaType" | "sizes">): PhotoFile {
  const [first = "full"] = sizes;
  const size = sizes.includes("full") ? "full" : first;
  return {
    key: mediaKey(guid, mediaType, size),
    name: mediaName(guid, mediaType),
  };
}
