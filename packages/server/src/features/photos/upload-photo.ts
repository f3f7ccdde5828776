import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import type { ImageProcessor } from "../../lib/images/image-processor.ts";
import type { ProcessedImage } from "../../lib/images/image.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Aspects } from "../aspects/index.ts";
import type { AspectId } from "../ids.ts";
import { MAX_TEXT_LENGTH, type Author } from "../posts/index.ts";
import { dropFiles, keepFiles, type PhotoFilesDeps } from "./photo-files.ts";
import { findOwnPhoto } from "./photo-queries.ts";
import { insertPhoto, type NewPhoto } from "./photo-store.ts";
import type { Photo } from "./photo.ts";

export type UploadDeps = PhotoFilesDeps & {
  readonly images: ImageProcessor;
  readonly aspects: Aspects;
};

export type UploadPhoto = {
  readonly owner: Author;
  readonly bytes: Uint8Array;
  /** The alternative text. */
  readonly text: string;
  /** Its post may only go to this aspect. */
  readonly aspectId?: AspectId;
};

/**
 * Stores a photo that waits for its post. The image is encoded anew from its pixels, so
 * that no metadata remains, such as the location.
 * @throws {KithError} `not_found` for an aspect that is not the owner's, else as
 * `ImageProcessor`
 */
export async function uploadPhoto(
  deps: UploadDeps,
  { owner, bytes, text, aspectId }: UploadPhoto,
): Promise<Photo> {
  const { db, clock, aspects, images } = deps;
  const checked = checkDescription(text);
  const requireAspect = async (reader = db.read): Promise<void> => {
    if (aspectId === undefined) return;
    if (!(await aspects.find(reader, owner.userId, aspectId)))
      throw new KithError("not_found", "No such aspect.");
  };
  await requireAspect();
  const image = await images.process(bytes, "post");
  const photo: NewPhoto = {
    ...newPhoto(image),
    personId: owner.personId,
    aspectId: aspectId ?? null,
    text: checked,
  };
  return withFiles(deps, photo.guid, image, () =>
    db.transaction(async (tx) => {
      await requireAspect(tx);
      const id = await insertPhoto(tx, photo, timestamp(clock.now()));
      const stored =
        id === undefined
          ? undefined
          : await findOwnPhoto(tx, { id }, owner.personId);
      if (!stored) throw new Error("The new photo cannot be read");
      return stored;
    }),
  );
}

/**
 * Stores the files first, so that every stored photo can be shown, and deletes them if
 * storing the photo fails.
 */
export async function withFiles<T>(
  deps: PhotoFilesDeps,
  guid: string,
  image: ProcessedImage,
  write: () => Promise<T>,
): Promise<T> {
  await keepFiles(deps, guid, image);
  try {
    return await write();
  } catch (error) {
    await dropFiles(deps, guid, image);
    throw error;
  }
}

export function newPhoto(
  image: ProcessedImage,
): Omit<NewPhoto, "personId" | "text"> {
  const { width, height, blurhash, mediaType, files } = image;
  return {
    guid: newGuid(),
    postId: null,
    aspectId: null,
    position: 0,
    width,
    height,
    blurhash,
    mediaType,
    remote: null,
    sizes: files.map(({ size }) => size),
    isProfile: false,
  };
}

/** @throws {KithError} `bad_request` if it is too long */
export function checkDescription(text: string): string {
  const stored = storableText(text).trim();
  if ([...stored].length > MAX_TEXT_LENGTH)
    throw new KithError(
      "bad_request",
      `The text of the picture must have at most ${MAX_TEXT_LENGTH} characters.`,
    );
  return stored;
}
