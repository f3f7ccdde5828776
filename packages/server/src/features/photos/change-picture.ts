import type { Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import type { People, Person, ProfileChanges } from "../people/index.ts";
import { removeFilesLater } from "./photo-files.ts";
import { deleteProfilePhotos, insertPhoto } from "./photo-store.ts";
import { MEDIA_PATH, mediaName } from "./photo.ts";
import { newPhoto, withFiles, type UploadDeps } from "./upload-photo.ts";

export type PictureDeps = UploadDeps & {
  readonly people: People;
  /** Without a trailing slash. */
  readonly baseUrl: string;
};

/**
 * Changes a user's own profile together with its picture; the previous picture is deleted.
 * @throws {KithError} as `ImageProcessor`, and as a change of the profile
 */
export async function changePicture(
  deps: PictureDeps,
  personId: PersonId,
  changes: ProfileChanges,
  bytes: Uint8Array,
): Promise<Person> {
  const { db, clock, people, baseUrl } = deps;
  const image = await deps.images.process(bytes, "avatar");
  const photo = { ...newPhoto(image), personId, text: "", isProfile: true };
  const urlOf = (size: "thumb_large" | "thumb_medium" | "thumb_small") =>
    `${baseUrl}${MEDIA_PATH}${mediaName(photo.guid, image.mediaType, size)}`;
  return withFiles(deps, photo.guid, image, () =>
    db.transaction(async (tx) => {
      // The profile first: its row lock serializes concurrent changes.
      const person = await people.changeProfileIn(tx, personId, {
        ...changes,
        imageUrl: urlOf("thumb_large"),
        imageUrlMedium: urlOf("thumb_medium"),
        imageUrlSmall: urlOf("thumb_small"),
      });
      await removePictureIn(deps, tx, personId);
      await insertPhoto(tx, photo, timestamp(clock.now()));
      return person;
    }),
  );
}

/** Deletes a person's picture and removes it from the profile. */
export async function removePicture(
  deps: PictureDeps,
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  await deps.people.changeProfileIn(tx, personId, {
    imageUrl: "",
    imageUrlMedium: "",
    imageUrlSmall: "",
  });
  await removePictureIn(deps, tx, personId);
}

async function removePictureIn(
  deps: PictureDeps,
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  await removeFilesLater(deps, tx, await deleteProfilePhotos(tx, personId));
}
