import type { Timestamp } from "../../lib/time/clock.ts";
import type { ImageSize } from "../../lib/images/image.ts";
import type { AspectId, CommentId, PersonId, PhotoId, PostId } from "../ids.ts";

/** A photo: stored here for a local person, or linked by a remote post. */
export type Photo = {
  readonly id: PhotoId;
  readonly guid: string;
  readonly personId: PersonId;
  /** null while it waits for its post, and for a profile picture. */
  readonly postId: PostId | null;
  /** The comment on that post to which it belongs; null for a picture of the post. */
  readonly commentId: CommentId | null;
  /** Its post may only go to this aspect. */
  readonly aspectId: AspectId | null;
  /** The alternative text. */
  readonly text: string;
  /** Pixels of the largest size; 0 if the remote server does not say. */
  readonly width: number;
  readonly height: number;
  /** Empty if the remote server does not say. */
  readonly blurhash: string;
  /** Null if not given. */
  readonly focus: Focus | null;
  /** Empty if the remote server does not say. */
  readonly mediaType: string;
  /** Its location on its own server; null if stored here. */
  readonly remote: {
    readonly url: string;
    readonly thumbnailUrl: string;
  } | null;
  /** Null for a picture. */
  readonly playback: Playback | null;
  /** The sizes stored here. */
  readonly sizes: readonly ImageSize[];
  /** Is it a profile picture? */
  readonly isProfile: boolean;
  /** With `isProfile`: the wide picture above the profile. */
  readonly isHeader: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** The place of a picture: a post, or a comment on it. */
export type PhotoPlace = {
  readonly postId: PostId;
  readonly commentId: CommentId | null;
};

/** How a recording is played; 0 where a remote server does not say. */
export type Playback = {
  readonly durationMs: number;
  /** Frames per second; 0 for a sound. */
  readonly frameRate: number;
  readonly bytes: number;
  /** Is it known to be a video without a sound? */
  readonly isSilent: boolean;
};

/** A photo is a picture, or a recording: a sound or a video. */
export type PhotoKind = "picture" | "sound" | "video";

export function kindOfPhoto({
  mediaType,
}: Pick<Photo, "mediaType">): PhotoKind {
  if (mediaType.startsWith("video/")) return "video";
  return mediaType.startsWith("audio/") ? "sound" : "picture";
}

/**
 * The focal point to keep visible when cropped: x to the right and y upwards, both from -1
 * to 1.
 */
export type Focus = readonly [x: number, y: number];

export type PhotoKey = { readonly id: PhotoId } | { readonly guid: string };

/** Files below this path have the names that diaspora* servers expect. */
export const MEDIA_PATH = "/media/";

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/jpeg", "jpg"],
  ["image/png", "png"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["video/mp4", "mp4"],
  ["video/webm", "webm"],
  ["audio/mp4", "m4a"],
  ["audio/webm", "weba"],
  ["audio/mpeg", "mp3"],
  ["audio/ogg", "ogg"],
  ["audio/flac", "flac"],
  ["audio/wav", "wav"],
]);

const MEDIA_NAME =
  /^(?:(scaled_full|thumb_large|thumb_medium|thumb_small)_)?([0-9a-f]{32})\.(jpg|png|gif|webp|mp4|webm|m4a|weba|mp3|ogg|flac|wav)$/;

/** The parts of a media file's name. */
export type MediaFile = {
  readonly guid: string;
  readonly size: ImageSize;
  readonly extension: string;
};

/** Parses the name of a media file. */
export function parseMediaName(name: string): MediaFile | undefined {
  const [, size = "full", guid, extension] = MEDIA_NAME.exec(name) ?? [];
  return guid === undefined || extension === undefined
    ? undefined
    : { guid, size: size as ImageSize, extension };
}

function extensionOf(mediaType: string): string {
  return EXTENSIONS.get(mediaType) ?? "jpg";
}

/** The key of a file in the media store. */
export function mediaKey(
  guid: string,
  mediaType: string,
  size: ImageSize,
): string {
  return `${guid}-${size}.${extensionOf(mediaType)}`;
}

/** The Guid of the photo that a stored file belongs to. */
export function guidOfKey(key: string): string | undefined {
  return /^([0-9a-f]{32})-/.exec(key)?.[1];
}

/** The name of a file in its photo's folder. */
export function mediaName(
  guid: string,
  mediaType: string,
  size: ImageSize = "full",
): string {
  const name = `${guid}.${extensionOf(mediaType)}`;
  return size === "full" ? name : `${size}_${name}`;
}

/**
 * The absolute URL of a photo. A remote photo has two sizes; a photo that lacks the wanted
 * size falls back to its largest.
 * @param folder of the files of a locally stored photo, absolute, with a trailing slash
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

/** A file's key in the media store, and its public name. */
export type PhotoFile = { readonly key: string; readonly name: string };

/** The largest file of a locally stored photo. */
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
