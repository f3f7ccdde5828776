import { KithError } from "../../lib/errors.ts";
import type { StoredMedia } from "../../lib/media-store.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { PersonId, PostId } from "../ids.ts";
import type { ProfileChanges } from "../people/index.ts";
import type { Author, Viewer } from "../posts/index.ts";
import {
  changePicture,
  removePicture,
  type PictureDeps,
} from "./change-picture.ts";
import { removeFilesLater, type PhotoFilesDeps } from "./photo-files.ts";
import {
  findOwnPhoto,
  findVisiblePhoto,
  listPhotosOf,
} from "./photo-queries.ts";
import { deletePhoto, deleteSomePhotosOf } from "./photo-store.ts";
import {
  mediaKey,
  MEDIA_PATH,
  parseMediaName,
  photoUrl,
  type Photo,
  type PhotoKey,
} from "./photo.ts";
import { uploadPhoto, type UploadPhoto } from "./upload-photo.ts";

export {
  createRemoveMedia,
  createSweepMedia,
  REMOVE_MEDIA,
  SWEEP_MEDIA,
} from "./photo-files.ts";
export { largestFile, MEDIA_PATH, mediaName } from "./photo.ts";
export type { Photo, PhotoFile, PhotoKey } from "./photo.ts";
export { createPostPhotos } from "./post-photos.ts";

export type PhotosDeps = PictureDeps &
  PhotoFilesDeps & { readonly facts: Facts };

/** A file of a picture, for somebody who may see it. */
export type VisibleMedia = {
  readonly mediaType: string;
  /** May everybody see it? */
  readonly isPublic: boolean;
  /** The same as long as the file is the same, which is for ever. */
  readonly tag: string;
  /** @returns undefined where the file was removed meanwhile */
  readonly open: () => Promise<StoredMedia | undefined>;
};

/** Pictures, and who may see them. */
export type Photos = ReturnType<typeof createPhotos>;

export function createPhotos(deps: PhotosDeps) {
  const { db, baseUrl } = deps;
  return {
    upload: (photo: UploadPhoto) => uploadPhoto(deps, photo),
    /** Changes one's own profile together with its picture. */
    changeProfile: (
      personId: PersonId,
      changes: ProfileChanges,
      picture: Uint8Array,
    ) => changePicture(deps, personId, changes, picture),
    /** @throws {KithError} `not_found`, also for somebody else's */
    remove: (owner: Author, key: PhotoKey) => removePhoto(deps, owner, key),
    /** @returns false where this person has no such picture */
    receiveRetraction: (key: PhotoKey, by: PersonId) =>
      receivePhotoRetraction(deps, key, by),
    /** Of somebody who has left, with their files. @returns true where more are left */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(async (tx) => {
        const deleted = await deleteSomePhotosOf(tx, personId, limit);
        await removeFilesLater(deps, tx, deleted);
        return deleted.length > 0;
      }),
    /** A picture that the viewer may see. */
    findVisible: (key: PhotoKey, viewer: Viewer) =>
      findVisiblePhoto(db.read, key, viewer),
    /** The pictures of posts, in their order. The caller has found the posts for their viewer. */
    listOf: (postIds: readonly PostId[]) => listPhotosOf(db.read, postIds),
    /** A file by the last part of its path, for a viewer who may see it. */
    findMedia: (name: string, viewer: Viewer) => findMedia(deps, name, viewer),
    urlOf: (photo: Photo, size?: Parameters<typeof photoUrl>[2]) =>
      photoUrl(photo, baseUrl, size),
    /** The path below which every file of every picture is, absolute, with a slash at its end. */
    mediaUrl: baseUrl + MEDIA_PATH,
  };
}

async function removePhoto(
  deps: PhotosDeps,
  owner: Author,
  key: PhotoKey,
): Promise<void> {
  const writing = deps.db.transaction(async (tx) => {
    const photo = await findOwnPhoto(tx, key, owner.personId);
    if (!photo) throw new KithError("not_found", "No such photo");
    if (photo.isProfile) return removePicture(deps, tx, owner.personId);
    const deleted = await deletePhoto(tx, photo.id);
    if (!deleted) throw new KithError("not_found", "Deleted meanwhile");
    await removeFilesLater(deps, tx, [deleted]);
    const { guid, postId, personId: by } = photo;
    if (postId !== null)
      await deps.facts.record(tx, {
        type: "photo.retracted",
        ...{ guid, postId, by },
      });
  });
  await notFoundIfGone(writing);
}

/** Its author takes back a picture from elsewhere, off a post that stays. */
async function receivePhotoRetraction(
  { db }: PhotosDeps,
  key: PhotoKey,
  by: PersonId,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const photo = await findOwnPhoto(tx, key, by);
    // What is stored here is taken back here.
    if (!photo?.remote) return false;
    return (await deletePhoto(tx, photo.id)) !== undefined;
  });
}

async function findMedia(
  { db, media }: PhotosDeps,
  name: string,
  viewer: Viewer,
): Promise<VisibleMedia | undefined> {
  const file = parseMediaName(name);
  if (!file) return undefined;
  const { guid, size } = file;
  const photo = await findVisiblePhoto(db.read, { guid }, viewer);
  if (!photo?.sizes.includes(size)) return undefined;
  const key = mediaKey(guid, photo.mediaType, size);
  if (!key.endsWith(`.${file.extension}`)) return undefined;
  const forEverybody =
    viewer === null || (await findVisiblePhoto(db.read, { guid }, null));
  return {
    mediaType: photo.mediaType,
    isPublic: Boolean(forEverybody),
    tag: `"${guid}-${size}"`,
    open: () => media.open(key),
  };
}
