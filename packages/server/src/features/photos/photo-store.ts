import type { Tx } from "../../db/db.ts";
import {
  loadJson,
  storeJson,
  type JsonText,
} from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { ImageSize } from "../../lib/images/image.ts";
import type { AspectId, CommentId, PersonId, PhotoId, PostId } from "../ids.ts";
import { isPhotoAt } from "./photo-queries.ts";
import type { Photo, PhotoPlace, Playback } from "./photo.ts";

export type NewPhoto = {
  readonly guid: string;
  readonly personId: PersonId;
  readonly postId: PostId | null;
  readonly commentId?: CommentId | null;
  readonly aspectId: AspectId | null;
  readonly position: number;
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly blurhash: string;
  readonly focus?: Photo["focus"];
  readonly playback?: Playback | null;
  readonly mediaType: string;
  readonly remote: {
    readonly url: string;
    readonly thumbnailUrl: string;
  } | null;
  readonly sizes: readonly ImageSize[];
  readonly isProfile: boolean;
  /** With `isProfile`: the wide picture above the profile, and not that of the person. */
  readonly isHeader?: boolean;
  /** The next three: for a photo that arrived separately from its post. */
  readonly limited?: boolean;
  readonly awaitedPostGuid?: string | null;
  readonly editedAt?: Timestamp | null;
};

/** @returns undefined if the Guid is taken */
export async function insertPhoto(
  tx: Tx,
  photo: NewPhoto,
  now: Timestamp,
): Promise<PhotoId | undefined> {
  const row = await tx
    .insertInto("photos")
    .values({
      guid: photo.guid,
      person_id: photo.personId,
      post_id: photo.postId,
      comment_id: photo.commentId ?? null,
      aspect_id: photo.aspectId,
      position: photo.position,
      text: photo.text,
      width: photo.width,
      height: photo.height,
      blurhash: photo.blurhash,
      focus: photo.focus ? storeJson(photo.focus) : null,
      media_type: photo.mediaType,
      playback: photo.playback ? storeJson(photo.playback) : null,
      storage_key: photo.remote ? null : photo.guid,
      sizes: storeJson(photo.sizes),
      is_profile: photo.isProfile,
      is_header: photo.isHeader ?? false,
      remote_url: photo.remote?.url ?? null,
      remote_thumbnail_url: photo.remote?.thumbnailUrl ?? null,
      uri: null,
      limited: photo.limited ?? false,
      awaited_post_guid: photo.awaitedPostGuid ?? null,
      edited_at: photo.editedAt ?? null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("guid").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** @returns false if it got another place, or was deleted, concurrently */
export async function updatePlace(
  tx: Tx,
  id: PhotoId,
  { postId, commentId }: PhotoPlace,
  position: number,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("photos")
    .set({
      post_id: postId,
      comment_id: commentId,
      position,
      awaited_post_guid: null,
      updated_at: now,
    })
    .where("id", "=", id)
    .where("post_id", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets a photo wait for another post, under a new name. */
export async function updateReleased(
  tx: Tx,
  id: PhotoId,
  guid: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("photos")
    .set({
      ...{ guid, storage_key: guid, post_id: null, comment_id: null },
      position: 0,
      ...{ created_at: now, updated_at: now },
    })
    .where("id", "=", id)
    .execute();
}

/** @returns false if it was deleted concurrently */
export async function updatePosition(
  tx: Tx,
  id: PhotoId,
  position: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("photos")
    .set({ position })
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Changes the description and the focal point of a local photo. */
export async function updateDescription(
  tx: Tx,
  id: PhotoId,
  { text, focus }: Pick<Photo, "text" | "focus">,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("photos")
    .set({ text, focus: focus ? storeJson(focus) : null, updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** Applies a remote server's changes to its photo. The photo stays with its post. */
export async function updateRemotePhoto(
  tx: Tx,
  id: PhotoId,
  photo: Pick<
    NewPhoto,
    "text" | "width" | "height" | "focus" | "playback" | "remote" | "editedAt"
  >,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("photos")
    .set({
      text: photo.text,
      width: photo.width,
      height: photo.height,
      focus: photo.focus ? storeJson(photo.focus) : null,
      playback: photo.playback ? storeJson(photo.playback) : null,
      remote_url: photo.remote?.url ?? null,
      remote_thumbnail_url: photo.remote?.thumbnailUrl ?? null,
      edited_at: photo.editedAt ?? null,
      updated_at: now,
    })
    .where("id", "=", id)
    .execute();
}

/** The data needed to delete the files of a deleted photo. */
export type DeletedPhoto = {
  readonly guid: string;
  readonly mediaType: string;
  readonly sizes: readonly ImageSize[];
  /** The addresses of a photo of another server, whose copies are in the cache. */
  readonly urls: readonly string[];
};

const DELETED = [
  "guid",
  "media_type",
  "sizes",
  "remote_url",
  "remote_thumbnail_url",
] as const;

function toDeleted(row: {
  guid: string;
  media_type: string;
  sizes: JsonText<readonly ImageSize[]>;
  remote_url: string | null;
  remote_thumbnail_url: string | null;
}): DeletedPhoto {
  const { guid, media_type: mediaType, sizes } = row;
  const urls = [row.remote_url, row.remote_thumbnail_url];
  return {
    ...{ guid, mediaType, sizes: loadJson(sizes) },
    urls: urls.flatMap((url) => url ?? []),
  };
}

/** @returns undefined if it was deleted concurrently */
export async function deletePhoto(
  tx: Tx,
  id: PhotoId,
): Promise<DeletedPhoto | undefined> {
  const row = await tx
    .deleteFrom("photos")
    .where("id", "=", id)
    .returning(DELETED)
    .executeTakeFirst();
  return row && toDeleted(row);
}

/** Deletes the photos of posts and of all comments on them. */
export async function deletePhotosBelow(
  tx: Tx,
  postIds: readonly PostId[],
): Promise<DeletedPhoto[]> {
  if (postIds.length === 0) return [];
  const rows = await tx
    .deleteFrom("photos")
    .where("post_id", "in", postIds)
    .returning(DELETED)
    .execute();
  return rows.map(toDeleted);
}

export async function deletePhotosAt(
  tx: Tx,
  place: PhotoPlace,
): Promise<DeletedPhoto[]> {
  const rows = await tx
    .deleteFrom("photos")
    .where(isPhotoAt(place))
    .returning(DELETED)
    .execute();
  return rows.map(toDeleted);
}

/** Deletes the remote photos of a place that are at none of these addresses. */
export async function deleteRemoteExcept(
  tx: Tx,
  place: PhotoPlace,
  urls: readonly string[],
): Promise<DeletedPhoto[]> {
  const rows = await tx
    .deleteFrom("photos")
    .where(isPhotoAt(place))
    .where("remote_url", "is not", null)
    .$if(urls.length > 0, (query) => query.where("remote_url", "not in", urls))
    .returning(DELETED)
    .execute();
  return rows.map(toDeleted);
}

/** Deletes the picture of a person, or the wide one above its profile. */
export async function deleteProfilePhotos(
  tx: Tx,
  personId: PersonId,
  isHeader: boolean,
): Promise<DeletedPhoto[]> {
  const rows = await tx
    .deleteFrom("photos")
    .where("person_id", "=", personId)
    .where("is_profile", "=", true)
    .where("is_header", "=", isHeader)
    .returning(DELETED)
    .execute();
  return rows.map(toDeleted);
}

/** Deletes photos that have waited for their post since before `before`. */
export async function deleteForgotten(
  tx: Tx,
  before: Timestamp,
): Promise<DeletedPhoto[]> {
  const rows = await tx
    .deleteFrom("photos")
    .where("post_id", "is", null)
    .where("is_profile", "=", false)
    .where("created_at", "<", before)
    // Pictures of drafts may wait longer.
    .where("id", "not in", (eb) =>
      eb.selectFrom("draft_photos").select("draft_photos.photo_id"),
    )
    .returning(DELETED)
    .execute();
  return rows.map(toDeleted);
}

/** Deletes some photos of a person, with or without a post. */
export async function deleteSomePhotosOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<DeletedPhoto[]> {
  const rows = await tx
    .deleteFrom("photos")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("photos as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .orderBy("own.id")
        .limit(limit),
    )
    .returning(DELETED)
    .execute();
  return rows.map(toDeleted);
}
