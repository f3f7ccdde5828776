import type { Page } from "../page.ts";
import type { Viewer } from "../visibility/index.ts";
import type { Reader, Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { RECORDING_PICTURE_PATH } from "../../lib/images/default-avatar.ts";
import type { ImageSize } from "../../lib/images/image.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { CommentId, PersonId, PhotoId, PostId } from "../ids.ts";
import type { ProfileChanges } from "../people/index.ts";
import type { Author, Post } from "../posts/index.ts";
import {
  changePictures,
  removePicture,
  type NewPictures,
  type PictureDeps,
  type ProfilePicture,
} from "./change-picture.ts";
import {
  amendPictures,
  amendPicturesOfComment,
  describePhoto,
  type DescribeDeps,
  type Description,
} from "./describe-photo.ts";
import { findMedia, findSharedMedia } from "./find-media.ts";
import { removeFilesLater } from "./photo-files.ts";
import {
  findOwnPhoto,
  findPhoto,
  findVisiblePhoto,
  listPhotosBy,
  listPostedPhotos,
  listPhotosOf,
  listPhotosOfComments,
  listPhotosOfMessages,
  listWaiting,
} from "./photo-queries.ts";
import { deletePhoto, deleteSomePhotosOf } from "./photo-store.ts";
import {
  kindOfPhoto,
  MEDIA_PATH,
  photoUrl,
  type Photo,
  type PhotoKey,
} from "./photo.ts";
import {
  receivePhotoRetraction,
  receiveRemotePhoto,
  type ReceivedPhotoAlone,
  type ReceivePhotoDeps,
} from "./receive-photo.ts";
import { MAX_PHOTOS } from "./remote-photo.ts";
import { retractPhoto } from "./retract-photo.ts";
import { createSharedAddresses } from "./shared-address.ts";
import { uploadPhoto, type UploadPhoto } from "./upload-photo.ts";

export { checkDescription } from "./upload-photo.ts";

export { MAX_PHOTOS } from "./remote-photo.ts";
export type { VisibleMedia } from "./find-media.ts";
export {
  createRemoveMedia,
  createSweepMedia,
  REMOVE_MEDIA,
  SWEEP_MEDIA,
} from "./photo-files.ts";
export { kindOfPhoto, largestFile, MEDIA_PATH, mediaName } from "./photo.ts";
export type { Focus, Photo, PhotoFile, PhotoKey, PhotoKind } from "./photo.ts";
export { createCommentPhotos, createPostPhotos } from "./attached-photos.ts";
export { hideSharedAddresses, SHARED_MEDIA_PATH } from "./shared-address.ts";

export type PhotosDeps = PictureDeps &
  DescribeDeps &
  ReceivePhotoDeps & {
    /** 32 bytes. */
    readonly secretKey: Uint8Array;
    /** May images at this address be shown? */
    readonly mayShow: (url: string) => Promise<boolean>;
    /** Where readers load a remote image. */
    readonly proxyUrlOf: (url: string) => string;
    /** Where readers load a remote sound or video. */
    readonly streamUrlOf: (url: string) => string;
  };

/** Photos and their visibility. */
export type Photos = ReturnType<typeof createPhotos>;

export function createPhotos(deps: PhotosDeps) {
  const { db, baseUrl } = deps;
  const addresses = createSharedAddresses(deps.secretKey);
  const mediaUrl = baseUrl + MEDIA_PATH;
  const sentFolderOf = (photo: Photo, post: Pick<Post, "public">): string =>
    post.public ? mediaUrl : baseUrl + addresses.folderOf(photo.guid);
  /** A recording has no small picture: the same one stands in for all of them. */
  const addressOf = (photo: Photo, folder: string, size?: ImageSize): string =>
    size?.startsWith("thumb_") && kindOfPhoto(photo) !== "picture"
      ? baseUrl + RECORDING_PICTURE_PATH
      : photoUrl(photo, folder, size);
  const readableUrlOf = (photo: Photo, folder: string, size?: ImageSize) => {
    const url = addressOf(photo, folder, size);
    return kindOfPhoto(photo) === "picture"
      ? deps.proxyUrlOf(url)
      : deps.streamUrlOf(url);
  };
  return {
    upload: (photo: UploadPhoto) => uploadPhoto(deps, photo),
    /** Deletes a picture of a user's own profile, if there is one. */
    removeProfile: (personId: PersonId, kind: ProfilePicture = "avatar") =>
      db.transaction((tx) => removePicture(deps, tx, personId, kind)),
    /** Changes a user's own profile together with its pictures. */
    changeProfile: (
      personId: PersonId,
      changes: ProfileChanges,
      pictures: NewPictures,
    ) => changePictures(deps, personId, changes, pictures),
    /** Describes pictures of a post as part of its edit. */
    amend: (descriptions: ReadonlyMap<PhotoId, Description>) =>
      amendPictures(deps, descriptions),
    /** The same for a comment. */
    amendComment: (descriptions: ReadonlyMap<PhotoId, Description>) =>
      amendPicturesOfComment(deps, descriptions),
    describe: (owner: Author, key: PhotoKey, description: Description) =>
      describePhoto(deps, owner, key, description),
    /** @throws {KithError} `not_found`, also for a photo of another person */
    remove: (owner: Author, key: PhotoKey) => removePhoto(deps, owner, key),
    receive: (photo: ReceivedPhotoAlone) => receiveRemotePhoto(deps, photo),
    receiveRetraction: (key: PhotoKey, by: PersonId) =>
      receivePhotoRetraction(deps, key, by),
    /** For jobs and federation, never for a response. */
    find: (key: PhotoKey, reader: Reader = db.read) => findPhoto(reader, key),
    /** Deletes photos of a deleted account with their files. @returns true if more are left */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(async (tx) => {
        const deleted = await deleteSomePhotosOf(tx, personId, limit);
        await removeFilesLater(deps, tx, deleted);
        return deleted.length > 0;
      }),
    /** Are these all the person's own, and without a post? */
    areWaiting: async (
      reader: Reader,
      personId: PersonId,
      ids: readonly PhotoId[],
    ) => {
      const given = new Set(ids);
      if (given.size > MAX_PHOTOS)
        throw new KithError(
          "bad_request",
          `A post has at most ${MAX_PHOTOS} photos.`,
        );
      const waiting = await listWaiting(reader, personId, [...given]);
      return waiting.length === given.size;
    },
    /** Those of them that are the person's own, and without a post. */
    listWaiting: async (personId: PersonId, ids: readonly PhotoId[]) =>
      (await listWaiting(db.read, personId, ids)).map(({ id }) => id),
    /** Is one of these a sound or a video of this person? */
    haveRecording: async (personId: PersonId, ids: readonly PhotoId[]) => {
      const some = [...new Set(ids)].slice(0, MAX_PHOTOS);
      const waiting = await listWaiting(db.read, personId, some);
      return waiting.some((photo) => kindOfPhoto(photo) !== "picture");
    },
    /** A person's own uploads that the viewer may see, newest first. */
    listBy: (personId: PersonId, viewer: Viewer, page: Page) =>
      listPhotosBy(db.read, personId, viewer, page),
    /** The photos in a person's posts, but for those behind a warning. */
    listPosted: async (personId: PersonId, viewer: Viewer, page: Page) => {
      const found = await listPostedPhotos(db.read, personId, viewer, page);
      const shown: Photo[] = [];
      for (const photo of found)
        if (!photo.remote || (await deps.mayShow(photo.remote.url)))
          shown.push(photo);
      return shown;
    },
    /** A photo that the viewer may see. */
    findVisible: (key: PhotoKey, viewer: Viewer) =>
      findVisiblePhoto(db.read, key, viewer),
    /**
     * The photos of posts, in their order. The caller has checked that the viewer may see
     * the posts.
     */
    listOf: async (postIds: readonly PostId[]) =>
      withoutRejected(deps, await listPhotosOf(db.read, postIds)),
    /** The photos of comments, which the viewer may see, in the same way. */
    listOfComments: async (commentIds: readonly CommentId[]) =>
      withoutRejected(deps, await listPhotosOfComments(db.read, commentIds)),
    /** The photos of messages in conversations, by the ids of the messages. */
    listOfMessages: async (ids: readonly number[]) =>
      withoutRejected(deps, await listPhotosOfMessages(db.read, ids)),
    /** A file by the last segment of its path, for a viewer who may see it. */
    findMedia: (name: string, viewer: Viewer) => findMedia(deps, name, viewer),
    /** A file by the last two segments of its address: the secret and the name. */
    findSharedMedia: (secret: string, name: string) =>
      findSharedMedia({ ...deps, addresses }, secret, name),
    /** Its URL for local viewers, who still need to be allowed to see it. */
    urlOf: (photo: Photo, size?: ImageSize) => addressOf(photo, mediaUrl, size),
    /**
     * The same for the pages of this server: a remote photo, too, is loaded from here, so
     * that its server does not learn of its readers.
     */
    shownUrlOf: (photo: Photo, size?: ImageSize) =>
      readableUrlOf(photo, mediaUrl, size),
    /**
     * The folder of its files for remote recipients of its post, absolute, with a trailing
     * slash. For a limited post the URL contains a secret that only its recipients get.
     */
    sentFolderOf,
    /** The URL of its largest size for remote recipients of its post. */
    sentUrlOf: (photo: Photo, post: Pick<Post, "public">) =>
      photoUrl(photo, sentFolderOf(photo, post)),
    /**
     * The URL at which a program that cannot name its user loads it, for those who may see it:
     * a remote one from here, one of a limited post or without a post by its secret address.
     */
    openUrlOf: (
      photo: Photo,
      post: Pick<Post, "public"> | null,
      size?: ImageSize,
    ) =>
      readableUrlOf(
        photo,
        sentFolderOf(photo, post ?? { public: false }),
        size,
      ),
    /**
     * The folder of the files: public ones for everyone, all others for local viewers who
     * may see them.
     */
    mediaUrl,
  };
}

/** Checked per photo: a photo need not be on its author's server. */
async function withoutRejected<Id>(
  { mayShow }: Pick<PhotosDeps, "mayShow">,
  photos: ReadonlyMap<Id, readonly Photo[]>,
): Promise<Map<Id, Photo[]>> {
  const shown = new Map<Id, Photo[]>();
  for (const [id, all] of photos) {
    const some: Photo[] = [];
    for (const photo of all)
      if (!photo.remote || (await mayShow(photo.remote.url))) some.push(photo);
    if (some.length > 0) shown.set(id, some);
  }
  return shown;
}

async function removePhoto(
  deps: PhotosDeps,
  owner: Author,
  key: PhotoKey,
): Promise<void> {
  const writing = deps.db.transaction(async (tx) => {
    const photo = await findOwnPhoto(tx, key, owner.personId);
    if (!photo) throw new KithError("not_found", "No such photo.");
    if (photo.isProfile) {
      const kind = photo.isHeader ? "header" : "avatar";
      return removePicture(deps, tx, owner.personId, kind);
    }
    const { commentId } = photo;
    if (commentId !== null)
      return deps.comments.changePicture(tx, owner, commentId, {
        ...{ isDeletion: true, change: () => dropPhoto(deps, tx, photo) },
      });
    // A photo with a post has recipients, who get a retraction.
    if (photo.postId !== null)
      return deps.posts.changePicture(tx, photo.postId, {
        isDeletion: true,
        change: async () => {
          if (!(await retractPhoto(deps, tx, photo)))
            throw new KithError("not_found", "Deleted meanwhile.");
        },
      });
    await dropPhoto(deps, tx, photo);
  });
  await notFoundIfGone(writing);
}

async function dropPhoto(
  deps: PhotosDeps,
  tx: Tx,
  { id }: Photo,
): Promise<void> {
  const deleted = await deletePhoto(tx, id);
  if (!deleted) throw new KithError("not_found", "Deleted meanwhile.");
  await removeFilesLater(deps, tx, [deleted]);
}
