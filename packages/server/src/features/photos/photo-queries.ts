import { sql, type ExpressionBuilder } from "kysely";
import {
  type Viewer,
  isNotSuspended,
  isPhotoVisibleTo,
  isPostVisibleTo,
  mayShowPicturesOf,
} from "../visibility/index.ts";
import type { Reader } from "../../db/db.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { CommentId, PersonId, PhotoId, PostId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import type { Post } from "../posts/index.ts";
import type { DescribedPhoto } from "../texts/index.ts";
import type { Photo, PhotoKey, PhotoPlace } from "./photo.ts";

const selectPhotos = (reader: Reader) =>
  reader.selectFrom("photos").selectAll();

type Row = Awaited<
  ReturnType<ReturnType<typeof selectPhotos>["executeTakeFirstOrThrow"]>
>;

function toPhoto(row: Row): Photo {
  const { remote_url: url, remote_thumbnail_url: thumbnailUrl } = row;
  return {
    id: row.id,
    guid: row.guid,
    personId: row.person_id,
    postId: row.post_id,
    commentId: row.comment_id,
    aspectId: row.aspect_id,
    text: row.text,
    width: row.width,
    height: row.height,
    blurhash: row.blurhash,
    focus: row.focus === null ? null : loadJson(row.focus),
    mediaType: row.media_type,
    playback: row.playback === null ? null : loadJson(row.playback),
    remote: url === null ? null : { url, thumbnailUrl: thumbnailUrl ?? url },
    sizes: loadJson(row.sizes),
    isProfile: Boolean(row.is_profile),
    isHeader: Boolean(row.is_header),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A condition on `photos`: those of a post itself, or those of a comment. */
export const isPhotoAt =
  ({ postId, commentId }: PhotoPlace) =>
  (eb: ExpressionBuilder<Database, "photos">) =>
    commentId === null
      ? eb.and({ post_id: postId }).and("comment_id", "is", null)
      : eb.and({ comment_id: commentId });

function byKey(reader: Reader, key: PhotoKey) {
  const query = selectPhotos(reader);
  return "id" in key
    ? query.where("photos.id", "=", key.id)
    : query.where("photos.guid", "=", key.guid);
}

/** Finds a photo that the viewer may see. */
export async function findVisiblePhoto(
  reader: Reader,
  key: PhotoKey,
  viewer: Viewer,
): Promise<Photo | undefined> {
  const row = await byKey(reader, key)
    .where((eb) => isPhotoVisibleTo(viewer)(eb))
    .where(mayShowPicturesOf("photos.person_id"))
    .executeTakeFirst();
  return row && toPhoto(row);
}

/** Lists a person's own uploads that the viewer may see, newest first. */
export async function listPhotosBy(
  reader: Reader,
  personId: PersonId,
  viewer: Viewer,
  page: Page,
): Promise<Photo[]> {
  const query = selectPhotos(reader)
    .where("photos.person_id", "=", personId)
    .where((eb) => isPhotoVisibleTo(viewer)(eb))
    .where(mayShowPicturesOf("photos.person_id"));
  return (await fetchPage(query, "photos.id", page)).map(toPhoto);
}

/**
 * Lists the photos in a person's posts that the viewer may see, newest first, without those
 * that the author hides behind a warning.
 */
export async function listPostedPhotos(
  reader: Reader,
  personId: PersonId,
  viewer: Viewer,
  page: Page,
): Promise<Photo[]> {
  const query = selectPhotos(reader)
    .where("photos.person_id", "=", personId)
    .where("photos.comment_id", "is", null)
    .where(mayShowPicturesOf("photos.person_id"))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("posts")
          .select("posts.id")
          .whereRef("posts.id", "=", "photos.post_id")
          .where("posts.participants", "is", null)
          .where("posts.nsfw", "=", false)
          .where("posts.warning", "is", null)
          .where((post) => isPostVisibleTo(viewer)(post)),
      ),
    );
  return (await fetchPage(query, "photos.id", page)).map(toPhoto);
}

/** A photo regardless of its visibility: for federation, never for a response. */
export async function findPhoto(
  reader: Reader,
  key: PhotoKey,
): Promise<(Photo & { readonly editedAt: Timestamp | null }) | undefined> {
  const row = await byKey(reader, key).executeTakeFirst();
  return row && { ...toPhoto(row), editedAt: row.edited_at };
}

/** A locally stored photo of a limited post, regardless of its visibility. */
export async function findLimitedPhoto(
  reader: Reader,
  guid: string,
): Promise<Photo | undefined> {
  const row = await byKey(reader, { guid })
    .where("photos.storage_key", "is not", null)
    .where((eb) =>
      eb.or([
        // One that waits for its post: only its owner was given the address.
        eb("photos.post_id", "is", null).and("photos.is_profile", "=", false),
        eb.exists(
          eb
            .selectFrom("posts")
            .select("posts.id")
            .whereRef("posts.id", "=", "photos.post_id")
            .where("posts.public", "=", false),
        ),
      ]),
    )
    .where(isNotSuspended(["photos.person_id"]))
    .executeTakeFirst();
  return row && toPhoto(row);
}

/** The fields of a post that attaching a photo needs. */
export type PostOfPhoto = Pick<Post, "id" | "guid" | "personId" | "public">;

/** A post regardless of its visibility. */
export async function findPostNamed(
  reader: Reader,
  guid: string,
): Promise<PostOfPhoto | undefined> {
  const row = await reader
    .selectFrom("posts")
    .select(["id", "person_id", "public"])
    .where("guid", "=", guid)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      guid,
      personId: row.person_id,
      public: Boolean(row.public),
    }
  );
}

/** The photos at a place that are stored on other servers, regardless of their visibility. */
export async function listRemotePhotos(
  reader: Reader,
  place: PhotoPlace,
): Promise<(Photo & { readonly editedAt: Timestamp | null })[]> {
  const rows = await selectPhotos(reader)
    .where(isPhotoAt(place))
    .where("remote_url", "is not", null)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...toPhoto(row), editedAt: row.edited_at }));
}

/** The photos at a place in their order, regardless of their visibility. */
export async function listPhotosIn(
  reader: Reader,
  place: PhotoPlace,
): Promise<Photo[]> {
  const rows = await selectPhotos(reader)
    .where(isPhotoAt(place))
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(toPhoto);
}

/** The same photos, as the history of the place remembers them. */
export async function listDescriptions(
  reader: Reader,
  place: PhotoPlace,
): Promise<DescribedPhoto[]> {
  const photos = await listPhotosIn(reader, place);
  return photos.map(({ guid, text }) => ({ guid, text }));
}

export async function countPhotosOf(
  reader: Reader,
  postId: PostId,
): Promise<number> {
  const row = await reader
    .selectFrom("photos")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(isPhotoAt({ postId, commentId: null }))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Prepared: it runs for every post that is received. */
const selectAwaiting = prepareQuery<
  { guid: string; personId: PersonId; limit: number },
  { id: PhotoId; limited: boolean | number }
>((reader, value) =>
  reader
    .selectFrom("photos")
    .select(["id", "limited"])
    .where("awaited_post_guid", "=", value("guid"))
    // The plus keeps SQLite from scanning all photos of the author instead.
    .where(sql<number>`+person_id`, "=", value("personId"))
    .limit(value("limit"))
    .compile(),
);

/** Photos of the post's author that arrived before the post. */
export async function listAwaiting(
  reader: Reader,
  { guid, personId }: Pick<PostOfPhoto, "guid" | "personId">,
  limit: number,
): Promise<{ id: PhotoId; limited: boolean }[]> {
  const rows = await selectAwaiting(reader, { guid, personId, limit });
  // Sorted in memory: usually there is nothing to sort, and SQLite would build a sorter
  // anyway.
  return rows
    .map(({ id, limited }) => ({ id, limited: Boolean(limited) }))
    .sort((a, b) => a.id - b.id);
}

/** One of the person's own photos, with or without a post. */
export async function findOwnPhoto(
  reader: Reader,
  key: PhotoKey,
  personId: PersonId,
): Promise<Photo | undefined> {
  const row = await byKey(reader, key)
    .where("photos.person_id", "=", personId)
    .executeTakeFirst();
  return row && toPhoto(row);
}

/** Those of the named photos that are the person's own and wait for their post. */
export async function listWaiting(
  reader: Reader,
  personId: PersonId,
  ids: readonly PhotoId[],
): Promise<Photo[]> {
  if (ids.length === 0) return [];
  const rows = await selectPhotos(reader)
    .where("id", "in", ids)
    .where("person_id", "=", personId)
    .where("post_id", "is", null)
    .where("is_profile", "=", false)
    .execute();
  return rows.map(toPhoto);
}

const ofPosts = prepareQuery<{ postIds: string }, Row>(
  (reader, value) =>
    selectPhotos(reader)
      .where(isListed(reader, "photos.post_id", value("postIds")))
      .where("photos.comment_id", "is", null)
      .where(mayShowPicturesOf("photos.person_id"))
      .orderBy("position")
      .orderBy("id")
      .compile(),
  { types: { postIds: "text" } },
);

const hangs = (photo: Photo): photo is Photo & { postId: PostId } =>
  photo.postId !== null;

/**
 * The photos of posts, in each post's order. The caller has checked that the viewer may see
 * the posts.
 */
export async function listPhotosOf(
  reader: Reader,
  postIds: readonly PostId[],
): Promise<Map<PostId, Photo[]>> {
  if (postIds.length === 0) return new Map();
  const rows = await ofPosts(reader, { postIds: JSON.stringify(postIds) });
  return Map.groupBy(rows.map(toPhoto).filter(hangs), ({ postId }) => postId);
}

const ofComments = prepareQuery<{ commentIds: string }, Row>(
  (reader, value) =>
    selectPhotos(reader)
      .where(isListed(reader, "photos.comment_id", value("commentIds")))
      .where(mayShowPicturesOf("photos.person_id"))
      .orderBy("position")
      .orderBy("id")
      .compile(),
  { types: { commentIds: "text" } },
);

const isOfComment = (photo: Photo): photo is Photo & { commentId: CommentId } =>
  photo.commentId !== null;

/** The photos of comments, as those of posts. */
export async function listPhotosOfComments(
  reader: Reader,
  commentIds: readonly CommentId[],
): Promise<Map<CommentId, Photo[]>> {
  if (commentIds.length === 0) return new Map();
  const rows = await ofComments(reader, {
    commentIds: JSON.stringify(commentIds),
  });
  const photos = rows.map(toPhoto).filter(isOfComment);
  return Map.groupBy(photos, ({ commentId }) => commentId);
}

/** The photos of messages, by the id of the message: posts and comments share one id space. */
export async function listPhotosOfMessages(
  reader: Reader,
  ids: readonly number[],
): Promise<Map<number, Photo[]>> {
  if (ids.length === 0) return new Map();
  const list = JSON.stringify(ids);
  const rows = await selectPhotos(reader)
    .where((eb) =>
      eb.or([
        isListed(reader, "photos.comment_id", list),
        eb.and([
          isListed(reader, "photos.post_id", list),
          eb("photos.comment_id", "is", null),
        ]),
      ]),
    )
    .where(mayShowPicturesOf("photos.person_id"))
    .orderBy("position")
    .orderBy("id")
    .execute();
  return Map.groupBy(
    rows.map(toPhoto),
    ({ commentId, postId }) => commentId ?? postId ?? 0,
  );
}

/** Those of these Guids that belong to a locally stored photo. */
export async function listStoredGuids(
  reader: Reader,
  guids: readonly string[],
): Promise<Set<string>> {
  if (guids.length === 0) return new Set();
  const rows = await reader
    .selectFrom("photos")
    .select("storage_key")
    .where("storage_key", "in", guids)
    .execute();
  // The picture of the server has its file in the same store.
  const ofServer = await reader
    .selectFrom("server_profile")
    .select("picture_guid")
    .where("picture_guid", "in", guids)
    .execute();
  return new Set([
    ...rows.flatMap(({ storage_key: key }) => key ?? []),
    ...ofServer.map(({ picture_guid: guid }) => guid),
  ]);
}
