import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import type { ImageProcessor } from "../../lib/images/image-processor.ts";
import { imageFormatOf, type ProcessedImage } from "../../lib/images/image.ts";
import {
  recordingFormatOf,
  type ProcessedRecording,
} from "../../lib/recordings/recording.ts";
import type { RecordingProcessor } from "../../lib/recordings/recording-processor.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Aspects } from "../aspects/index.ts";
import type { AspectId } from "../ids.ts";
import { MAX_TEXT_LENGTH, type Author } from "../posts/index.ts";
import {
  dropFiles,
  keepFiles,
  type NewFiles,
  type PhotoFilesDeps,
} from "./photo-files.ts";
import { findOwnPhoto } from "./photo-queries.ts";
import { insertPhoto, type NewPhoto } from "./photo-store.ts";
import type { Focus, Photo } from "./photo.ts";

export type UploadDeps = PhotoFilesDeps & {
  readonly images: ImageProcessor;
  readonly recordings: RecordingProcessor;
  readonly aspects: Aspects;
};

export type UploadPhoto = {
  readonly owner: Author;
  readonly bytes: Uint8Array;
  /** The alternative text. */
  readonly text: string;
  readonly focus?: Focus | null;
  /** Its post may only go to this aspect. */
  readonly aspectId?: AspectId;
};

/**
 * Stores a photo that waits for its post. An image is encoded anew from its pixels, and a
 * recording is put into a new container, so that no metadata remains, such as the location.
 * @throws {KithError} `not_found` for an aspect that is not the owner's, else as
 * `ImageProcessor` or `RecordingProcessor`
 */
export async function uploadPhoto(
  deps: UploadDeps,
  { owner, bytes, text, focus = null, aspectId }: UploadPhoto,
): Promise<Photo> {
  const { db, clock, aspects } = deps;
  const checked = checkDescription(text);
  const requireAspect = async (reader = db.read): Promise<void> => {
    if (aspectId === undefined) return;
    if (!(await aspects.find(reader, owner.userId, aspectId)))
      throw new KithError("not_found", "No such aspect.");
  };
  await requireAspect();
  const { fields, files } = await processUpload(deps, bytes);
  const photo: NewPhoto = {
    ...fields,
    personId: owner.personId,
    aspectId: aspectId ?? null,
    text: checked,
    focus,
  };
  return withFiles(deps, photo.guid, files, () =>
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

/** An image is known by its first bytes; all else must be a recording. */
async function processUpload(
  { images, recordings }: Pick<UploadDeps, "images" | "recordings">,
  bytes: Uint8Array,
) {
  const isRecording =
    imageFormatOf(bytes) === undefined &&
    recordingFormatOf(bytes) !== undefined;
  if (!isRecording) {
    const image = await images.process(bytes, "post");
    return { fields: newPhoto(image), files: image };
  }
  const recording = await recordings.process(bytes);
  const { mediaType } = recording;
  const file = { size: "full", bytes: recording.bytes } as const;
  return {
    fields: newRecording(recording),
    files: { mediaType, files: [file] },
  };
}

function newRecording(
  recording: ProcessedRecording,
): Omit<NewPhoto, "personId" | "text"> {
  const { width, height, mediaType, bytes } = recording;
  const { durationMs, frameRate, isSilent } = recording;
  return {
    ...waiting(),
    ...{ width, height, mediaType, blurhash: "", sizes: ["full"] },
    playback: { durationMs, frameRate, isSilent, bytes: bytes.length },
  };
}

/**
 * Stores the files first, so that every stored photo can be shown, and deletes them if
 * storing the photo fails.
 */
export async function withFiles<T>(
  deps: PhotoFilesDeps,
  guid: string,
  image: NewFiles,
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
  const sizes = files.map(({ size }) => size);
  return { ...waiting(), width, height, blurhash, mediaType, sizes };
}

const waiting = () =>
  ({
    ...{ guid: newGuid(), postId: null, aspectId: null, position: 0 },
    ...{ remote: null, isProfile: false },
  }) as const;

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
