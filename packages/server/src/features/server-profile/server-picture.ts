import type { Db, Tx } from "../../db/db.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { newGuid } from "../../lib/guids.ts";
import type { ImageProcessor } from "../../lib/images/image-processor.ts";
import type { ImageSize, ProcessedImage } from "../../lib/images/image.ts";
import type { MediaStore, StoredMedia } from "../../lib/media/media-store.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { Audit, Doer } from "../audit/index.ts";
import { REMOVE_MEDIA } from "../photos/index.ts";
import {
  findServerProfile,
  saveServerPicture,
  type ServerPicture,
} from "./server-profile-store.ts";

/** The files of the picture are below this path. */
export const SERVER_PICTURE_PATH = "/about/picture/";

/** The whole picture, at most 2048 pixels wide and high, and 700 pixels wide. */
const SIZES = ["full", "scaled_full"] as const satisfies readonly ImageSize[];
type PictureSize = (typeof SIZES)[number];

export type ServerPictureDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly jobs: Pick<Jobs, "enqueue">;
  readonly media: Pick<MediaStore, "open" | "put" | "remove">;
  readonly images: Pick<ImageProcessor, "process">;
};

const extensionOf = ({ mediaType }: Pick<ServerPicture, "mediaType">) =>
  mediaType.replace("image/", "").replace("jpeg", "jpg");

/** The file's key in the media store, which is also its public name. */
const nameOf = (picture: ServerPicture, size: PictureSize): string =>
  `${picture.guid}-${size}.${extensionOf(picture)}`;

/** Where a picture is shown from, without the host. */
export function pathOfPicture(
  picture: ServerPicture,
  size: PictureSize = "full",
): string {
  return SERVER_PICTURE_PATH + nameOf(picture, size);
}

/**
 * Encodes the picture anew from its pixels, and deletes the one before.
 * @param ensureRow makes the row of the server
 * @throws {KithError} as `ImageProcessor`
 */
export async function storePicture(
  deps: ServerPictureDeps,
  by: Doer,
  bytes: Uint8Array,
  ensureRow: (tx: Tx) => Promise<void>,
): Promise<void> {
  const image = await deps.images.process(bytes, "post");
  const { mediaType, width, height } = image;
  const picture = { guid: newGuid(), mediaType, width, height };
  try {
    for (const size of SIZES)
      await deps.media.put(nameOf(picture, size), fileOf(image, size));
    await deps.db.transaction(async (tx) => {
      await ensureRow(tx);
      await replacePicture(deps, tx, by, picture);
    });
  } catch (error) {
    for (const size of SIZES) await deps.media.remove(nameOf(picture, size));
    throw error;
  }
}

/** Also without a picture. */
export function removeServerPicture(
  deps: ServerPictureDeps,
  by: Doer,
): Promise<void> {
  return deps.db.transaction((tx) => replacePicture(deps, tx, by, null));
}

async function replacePicture(
  { audit, clock, jobs }: ServerPictureDeps,
  tx: Tx,
  by: Doer,
  picture: ServerPicture | null,
): Promise<void> {
  const before = await findServerProfile(tx);
  const old = before?.picture;
  if (!old && !picture) return;
  await saveServerPicture(tx, picture, timestamp(clock.now()));
  if (old)
    await jobs.enqueue(tx, REMOVE_MEDIA, {
      keys: SIZES.map((size) => nameOf(old, size)),
    });
  await audit.recordAct(tx, {
    ...{ by, action: "server.describe", target: before?.name ?? "" },
    details: picture ? "picture" : "no picture",
  });
}

function fileOf({ files }: ProcessedImage, size: PictureSize): Uint8Array {
  const file = files.find((it) => it.size === size);
  if (!file) throw new Error(`The picture has no size ${size}`);
  return file.bytes;
}

/** A file of the present picture. */
export type PictureFile = {
  readonly mediaType: string;
  /** The ETag; a file never changes. */
  readonly tag: string;
  readonly open: () => Promise<StoredMedia | undefined>;
};

export async function findPictureFile(
  { db, media }: Pick<ServerPictureDeps, "db" | "media">,
  name: string,
): Promise<PictureFile | undefined> {
  const picture = (await findServerProfile(db.read))?.picture;
  if (!picture || !SIZES.some((size) => nameOf(picture, size) === name))
    return undefined;
  const { mediaType } = picture;
  return { mediaType, tag: `"${name}"`, open: () => media.open(name) };
}
