import { imageFormatOf } from "../../lib/images/image.ts";
import type { ByteRange, StoredMedia } from "../../lib/media/media-store.ts";
import type { FileCache } from "./file-cache.ts";

/** A stored picture of another server. */
export type CachedPicture = {
  readonly mediaType: string;
  /** The ETag of this version. */
  readonly tag: string;
  readonly fetchedAt: Date;
  /** @returns undefined if the file was removed concurrently */
  readonly open: (part?: ByteRange) => Promise<StoredMedia | undefined>;
};

/** Pictures of other servers by their URL. */
export type PictureCache = {
  /** Counts as a use. */
  find(url: string): Promise<CachedPicture | undefined>;
  put(url: string, bytes: Uint8Array): Promise<void>;
  remove(url: string): Promise<void>;
};

export function createPictureCache(files: FileCache): PictureCache {
  return {
    find: async (url) => {
      const file = await files.find(url);
      const format = file && imageFormatOf(file.head);
      if (!format) return undefined;
      const { tag, fetchedAt, open } = file;
      return { mediaType: `image/${format}`, tag, fetchedAt, open };
    },
    put: (url, bytes) => files.put(url, bytes),
    remove: (url) => files.remove(url),
  };
}
