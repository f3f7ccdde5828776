import type { Tx } from "../../db/db.ts";
import type { ImageSize } from "../../lib/images/image.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import type { People, Person, ProfileChanges } from "../people/index.ts";
import { removeFilesLater } from "./photo-files.ts";
import {
  deleteProfilePhotos,
  insertPhoto,
  type NewPhoto,
} from "./photo-store.ts";
import { MEDIA_PATH, mediaName } from "./photo.ts";
import { newPhoto, withFiles, type UploadDeps } from "./upload-photo.ts";

export type PictureDeps = UploadDeps & {
  readonly people: People;
  /** Without a trailing slash. */
  readonly baseUrl: string;
};

/** The picture of a person, and the wide one above its profile. */
export type ProfilePicture = "avatar" | "header";

/** The bytes of new pictures; those that are absent stay. */
export type NewPictures = Partial<Readonly<Record<ProfilePicture, Uint8Array>>>;

/**
 * Changes a user's own profile together with its pictures; the previous ones are deleted.
 * @throws {KithError} as `ImageProcessor`, and as a change of the profile
 */
export async function changePictures(
  deps: PictureDeps,
  personId: PersonId,
  changes: ProfileChanges,
  { avatar, header }: NewPictures,
): Promise<Person> {
  const { db, clock, people } = deps;
  const made = [
    ...(avatar ? [await makePicture(deps, personId, "avatar", avatar)] : []),
    ...(header ? [await makePicture(deps, personId, "header", header)] : []),
  ];
  const store = (): Promise<Person> =>
    db.transaction(async (tx) => {
      // The profile first: its row lock serializes concurrent changes.
      const person = await people.changeProfileIn(
        tx,
        personId,
        made.reduce((all, { urls }) => ({ ...all, ...urls }), changes),
      );
      for (const { kind, photo } of made) {
        await removePictureIn(deps, tx, personId, kind);
        await insertPhoto(tx, photo, timestamp(clock.now()));
      }
      return person;
    });
  // Each writes its files, and drops them if what follows fails.
  return made.reduceRight(
    (next, { photo, image }) =>
      () =>
        withFiles(deps, photo.guid, image, next),
    store,
  )();
}

async function makePicture(
  deps: PictureDeps,
  personId: PersonId,
  kind: ProfilePicture,
  bytes: Uint8Array,
) {
  const image = await deps.images.process(bytes, kind);
  const isHeader = kind === "header";
  const photo: NewPhoto = {
    ...newPhoto(image),
    ...{ personId, text: "", isProfile: true, isHeader },
  };
  const urlOf = (size: ImageSize) =>
    `${deps.baseUrl}${MEDIA_PATH}${mediaName(photo.guid, image.mediaType, size)}`;
  const urls: ProfileChanges = isHeader
    ? { headerUrl: urlOf("scaled_full") }
    : {
        imageUrl: urlOf("thumb_large"),
        imageUrlMedium: urlOf("thumb_medium"),
        imageUrlSmall: urlOf("thumb_small"),
      };
  return { kind, image, photo, urls };
}

const NO_URLS = {
  avatar: { imageUrl: "", imageUrlMedium: "", imageUrlSmall: "" },
  header: { headerUrl: "" },
} as const satisfies Record<ProfilePicture, ProfileChanges>;

/** Deletes a person's picture and removes it from the profile. */
export async function removePicture(
  deps: PictureDeps,
  tx: Tx,
  personId: PersonId,
  kind: ProfilePicture,
): Promise<void> {
  await deps.people.changeProfileIn(tx, personId, NO_URLS[kind]);
  await removePictureIn(deps, tx, personId, kind);
}

async function removePictureIn(
  deps: PictureDeps,
  tx: Tx,
  personId: PersonId,
  kind: ProfilePicture,
): Promise<void> {
  const deleted = await deleteProfilePhotos(tx, personId, kind === "header");
  await removeFilesLater(deps, tx, deleted);
}
