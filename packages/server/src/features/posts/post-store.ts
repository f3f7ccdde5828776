import type { DialectName, Reader, Tx } from "../../db/db.ts";
import { lockKeys } from "../../db/dialect.ts";
import { STORED_POST_TYPES } from "../../db/schema/columns/stored-names.ts";
import { keysOf } from "../../db/together/names.ts";
import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import { notBefore, overtakesUntil, type EditTime } from "../edit-times.ts";
import type { EventId, PersonId, PostId } from "../ids.ts";
import { storeList } from "../stored-list.ts";
import { prepareInsertInTime } from "../time-id-store.ts";
import type { PostLocation } from "./post-location.ts";
import type { Post } from "./post.ts";

type OptionalOfNew =
  | "aspects"
  | "emojis"
  | "eventId"
  | "language"
  | "limitedTo"
  | "location"
  | "nsfw"
  | "participants"
  | "quotableBy"
  | "updatedAt"
  | "warning";

export type NewPost = Omit<
  Post,
  "id" | "otherGuid" | "pinnedAt" | OptionalOfNew
> &
  Partial<Pick<Post, OptionalOfNew>>;

/**
 * Locks the names of a post before it is stored; for a reshare also its root and person, because
 * nobody reshares a post twice.
 */
export async function lockNewPost(
  tx: Tx,
  dialect: DialectName,
  {
    guid,
    uri,
    rootGuid,
    personId,
  }: Pick<NewPost, "uri" | "rootGuid" | "personId"> & { guid: string | null },
): Promise<void> {
  const reshare = reshareLockOf({ rootGuid, personId });
  await lockKeys(tx, dialect, [...keysOf([guid, uri]), ...reshare]);
}

/** The key of the lock on what a person reshares, if a post is a reshare. */
export function reshareLockOf({
  rootGuid,
  personId,
}: Pick<NewPost, "rootGuid" | "personId">): string[] {
  return rootGuid === null ? [] : [`reshare:${rootGuid}:${personId}`];
}

/** Returns the post that `insertPost` stored, as it would be read back. */
export function toStored(post: NewPost, id: PostId): Post {
  return {
    aspects: [],
    emojis: [],
    eventId: null,
    language: null,
    limitedTo: null,
    location: null,
    nsfw: false,
    otherGuid: null,
    participants: null,
    pinnedAt: null,
    quotableBy: "everyone",
    updatedAt: post.createdAt,
    warning: null,
    ...post,
    id,
  };
}

const insertInTime = prepareInsertInTime("post", {
  ...{ guid: "text", other_guid: "text", person_id: "bigint", type: "text" },
  ...{ is_local: "boolean", pinned_at: "text" },
  ...{ public: "boolean", listed: "boolean", nsfw: "boolean" },
  ...{ text: "text", warning: "text", language: "text", emojis: "text" },
  ...{ root_guid: "text", root_person_id: "bigint", event_id: "bigint" },
  ...{ limited_to: "text", audience_aspects: "text", participants: "text" },
  ...{ quotable_by: "text", provider_name: "text", uri: "text", url: "text" },
  ...{ location_address: "text", location_lat: "text", location_lng: "text" },
  ...{ stored_at: "text", created_at: "text", updated_at: "text" },
});

/**
 * The caller has made sure that the Guid is free.
 * @param isLocal is the author a person of this server?
 * @returns also whether deferred messages wait for the post
 */
export async function insertPost(
  tx: Tx,
  post: NewPost,
  now: Date,
  isLocal: boolean,
): Promise<{ id: PostId; isAwaited: boolean }> {
  const columns = { ...postColumns(post, now), is_local: isLocal };
  return insertInTime(tx, post, now, columns);
}

const LATE_MS = 86_400_000;

function postColumns(post: NewPost, now: Date) {
  const isLate = now.getTime() - Date.parse(post.createdAt) > LATE_MS;
  return {
    stored_at: isLate ? timestamp(now) : null,
    guid: post.guid,
    person_id: post.personId,
    type: STORED_POST_TYPES[post.type],
    public: post.public,
    listed: post.listed,
    text: post.text,
    provider_name: post.providerName,
    root_guid: post.rootGuid,
    root_person_id: post.rootPersonId,
    limited_to: post.limitedTo ?? null,
    audience_aspects: storeList(post.aspects ?? []),
    event_id: post.eventId ?? null,
    nsfw: post.nsfw ?? false,
    warning: post.warning ?? null,
    language: post.language ?? null,
    quotable_by: storedQuotable(post.quotableBy),
    emojis: storeList(post.emojis ?? []),
    participants: post.participants?.join(";") ?? null,
    uri: post.uri,
    url: post.url,
    ...locationColumns(post.location ?? null),
    created_at: post.createdAt,
    updated_at: post.updatedAt ?? post.createdAt,
  };
}

const storedQuotable = (people: Post["quotableBy"] = "everyone") =>
  people === "everyone" ? null : people;

function locationColumns(location: PostLocation | null) {
  return {
    location_address: location?.address ?? null,
    location_lat: location?.lat ?? null,
    location_lng: location?.lng ?? null,
  };
}

/** The caller has made sure that the Guid is free. */
export async function updateOtherGuid(
  tx: Tx,
  id: PostId,
  guid: string,
): Promise<void> {
  await tx
    .updateTable("posts")
    .set({ other_guid: guid })
    .where("id", "=", id)
    .where("other_guid", "is", null)
    .execute();
}

/**
 * Sets the ActivityPub id that the author's server confirms, for a post that arrived
 * without one.
 */
export async function addPostUri(
  tx: Tx,
  id: PostId,
  uri: string,
): Promise<void> {
  await tx
    .updateTable("posts")
    .set({ uri })
    .where("id", "=", id)
    .where("uri", "is", null)
    .execute();
}

/** Replaces the ActivityPub id. */
export async function updatePostUri(
  tx: Tx,
  id: PostId,
  uri: string,
): Promise<void> {
  await tx.updateTable("posts").set({ uri }).where("id", "=", id).execute();
}

/** The fields of a post that an edit may change. */
export type ChangedPost = Pick<
  Post,
  | "text"
  | "nsfw"
  | "warning"
  | "language"
  | "quotableBy"
  | "emojis"
  | "location"
>;

/**
 * Updates only forwards in time: an older text never replaces a newer one.
 * @returns whether it did
 */
export async function updatePostText(
  tx: Tx,
  id: PostId,
  changed: ChangedPost,
  time: EditTime,
): Promise<boolean> {
  const { text, nsfw, warning, language, emojis, location } = changed;
  const { numUpdatedRows } = await tx
    .updateTable("posts")
    .set({
      text,
      nsfw,
      warning,
      language,
      quotable_by: storedQuotable(changed.quotableBy),
      emojis: storeList(emojis),
      ...locationColumns(location),
      updated_at: notBefore(time.editedAt),
    })
    .where("id", "=", id)
    .where("updated_at", "<", overtakesUntil(time))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes an edit that changed something beside the text. */
export async function updateEditTime(
  tx: Tx,
  id: PostId,
  editedAt: Timestamp,
): Promise<void> {
  await tx
    .updateTable("posts")
    .set({ updated_at: notBefore(editedAt) })
    .where("id", "=", id)
    .execute();
}

/** @param pinnedAt null if it is not pinned, or no longer */
export async function updatePinned(
  tx: Tx,
  id: PostId,
  pinnedAt: Timestamp | null,
): Promise<void> {
  await tx
    .updateTable("posts")
    .set(
      pinnedAt === null
        ? { pinned_at: null }
        : // A post pinned again keeps its place.
          (eb) => ({
            pinned_at: eb.fn.coalesce("pinned_at", eb.val(pinnedAt)),
          }),
    )
    .where("id", "=", id)
    .execute();
}

/** @returns false if it was already deleted concurrently */
export async function deletePost(tx: Tx, id: PostId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("posts")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The posts remain, without the event. */
export async function detachEvent(tx: Tx, eventId: EventId): Promise<void> {
  await tx
    .updateTable("posts")
    .set({ event_id: null })
    .where("event_id", "=", eventId)
    .execute();
}

/** Lists some posts of a person, regardless of their audience. */
export async function listSomeIdsOf(
  reader: Reader,
  personId: PersonId,
  limit: number,
): Promise<PostId[]> {
  const rows = await reader
    .selectFrom("posts")
    .select("id")
    .where("person_id", "=", personId)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deletePosts(
  tx: Tx,
  ids: readonly PostId[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom("posts").where("id", "in", ids).execute();
}
