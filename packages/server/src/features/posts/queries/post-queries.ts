import {
  POST_AUTHORS,
  type Viewer,
  isNotBlockedOrIgnored,
  isPostHiddenBy,
  isPostVisibleTo,
} from "../../visibility/index.ts";
import type { Reader } from "../../../db/db.ts";
import { isOneOf } from "../../../db/dialect.ts";
import {
  dialectOf,
  isListed,
  prepareQuery,
} from "../../../db/prepared-query.ts";
import {
  readStoredName,
  STORED_POST_TYPES,
} from "../../../db/schema/columns/stored-names.ts";
import type { EventId, PersonId, PostId } from "../../ids.ts";
import { columnOf } from "../../key.ts";
import { loadList } from "../../stored-list.ts";
import type { Post, PostKey } from "../post.ts";

export const selectPosts = (reader: Reader) =>
  reader.selectFrom("posts").selectAll("posts");

export type PostRow = Awaited<
  ReturnType<ReturnType<typeof selectPosts>["executeTakeFirstOrThrow"]>
>;

export function toPost(row: PostRow): Post {
  return {
    id: row.id,
    guid: row.guid,
    personId: row.person_id,
    type: readStoredName(STORED_POST_TYPES, row.type),
    public: Boolean(row.public),
    listed: Boolean(row.listed),
    text: row.text,
    providerName: row.provider_name,
    rootGuid: row.root_guid,
    rootPersonId: row.root_person_id,
    limitedTo: row.limited_to,
    aspects: loadList(row.audience_aspects),
    eventId: row.event_id,
    nsfw: Boolean(row.nsfw),
    warning: row.warning,
    language: row.language,
    quotableBy: row.quotable_by ?? "everyone",
    emojis: loadList(row.emojis),
    uri: row.uri,
    otherGuid: row.other_guid,
    participants: row.participants?.split(";") ?? null,
    url: row.url,
    location: toLocation(row),
    pinnedAt: row.pinned_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toLocation(row: PostRow): Post["location"] {
  const {
    location_address: address,
    location_lat: lat,
    location_lng: lng,
  } = row;
  return lat === null || lng === null
    ? null
    : { address: address ?? "", lat, lng };
}

function byKey(reader: Reader, key: PostKey) {
  const query = selectPosts(reader);
  if (!("guid" in key)) {
    const [column, value] = columnOf(key);
    return query.where(`posts.${column}`, "=", value);
  }
  const { guid } = key;
  return query.where((eb) =>
    eb.or([eb("posts.guid", "=", guid), eb("posts.other_guid", "=", guid)]),
  );
}

/** Finds a post regardless of its audience: for jobs and federation, never for a response. */
export async function findPost(
  reader: Reader,
  key: PostKey,
): Promise<Post | undefined> {
  const [row] = await ("id" in key
    ? byId(reader, key)
    : "guid" in key
      ? byGuid(reader, key)
      : byUri(reader, key));
  return row && toPost(row);
}

const byId = prepareQuery<{ id: PostId }, PostRow>(
  (reader, value) => byKey(reader, { id: value("id") }).compile(),
  { types: { id: "bigint" } },
);
const byGuid = prepareQuery<{ guid: string }, PostRow>(
  (reader, value) => byKey(reader, { guid: value("guid") }).compile(),
  { types: { guid: "text" } },
);
const byUri = prepareQuery<{ uri: string }, PostRow>(
  (reader, value) => byKey(reader, { uri: value("uri") }).compile(),
  { types: { uri: "text" } },
);

/** More posts than this claim the same page only to be found in place of others. */
const MAX_OF_PAGE = 10;

/**
 * Finds a remote post by its page, on the server named in its id. For federation, never
 * for a response.
 */
export async function findPostByPage(
  reader: Reader,
  url: string,
): Promise<Post | undefined> {
  const rows = await byPage(reader, { url });
  const { origin } = new URL(url);
  return rows
    .map(toPost)
    .find(({ uri }) => URL.parse(uri ?? "")?.origin === origin);
}

const byPage = prepareQuery<{ url: string }, PostRow>((reader, value) =>
  selectPosts(reader)
    .where("posts.url", "=", value("url"))
    .orderBy("posts.id")
    .limit(MAX_OF_PAGE)
    .compile(),
);

/** Finds a post that the viewer may see. */
export async function findVisiblePost(
  reader: Reader,
  key: PostKey,
  viewer: Viewer,
): Promise<Post | undefined> {
  const row = await byKey(reader, key)
    .where(isPostVisibleTo(viewer))
    .executeTakeFirst();
  return row && toPost(row);
}

/** Lists, by Guid, the posts with these Guids that the viewer may see. */
export async function listPostsByGuid(
  reader: Reader,
  guids: readonly string[],
  viewer: Viewer,
): Promise<Map<string, Post>> {
  if (guids.length === 0) return new Map();
  const list = JSON.stringify(guids);
  const rows = await visibleByGuids(reader, list, viewer);
  return new Map(rows.map((row) => [row.guid, toPost(row)]));
}

/** Lists, by Guid, the posts with these Guids that the viewer may see and does not avoid. */
export async function listWelcomePosts(
  reader: Reader,
  guids: readonly string[],
  viewer: Viewer,
): Promise<Map<string, Post>> {
  if (guids.length === 0) return new Map();
  const seen = selectPosts(reader)
    .where("posts.guid", "in", guids)
    .where(isPostVisibleTo(viewer));
  const rows = await (
    viewer === null
      ? seen
      : seen
          .where((eb) => eb.not(isPostHiddenBy(viewer.userId)))
          .where(isNotBlockedOrIgnored(viewer.personId, POST_AUTHORS))
  ).execute();
  return new Map(rows.map((row) => [row.guid, toPost(row)]));
}

/** Lists the posts with these ids that the viewer may see, newest first. */
export async function listPostsById(
  reader: Reader,
  ids: readonly PostId[],
  viewer: Viewer,
): Promise<Post[]> {
  if (ids.length === 0) return [];
  const rows = await visibleByIds(reader, JSON.stringify(ids), viewer);
  return rows.map(toPost);
}

/** The visibility rule is written differently with and without a viewer. */
function prepareVisible(
  select: (reader: Reader, list: string) => ReturnType<typeof selectPosts>,
) {
  const toAll = prepareQuery<{ list: string }, PostRow>((reader, value) =>
    select(reader, value("list")).where(isPostVisibleTo(null)).compile(),
  );
  const toViewer = prepareQuery<{ list: string; personId: PersonId }, PostRow>(
    (reader, value) => {
      const personId = value("personId");
      return select(reader, value("list"))
        .where(isPostVisibleTo({ personId, userId: null }))
        .compile();
    },
  );
  return (reader: Reader, list: string, viewer: Viewer): Promise<PostRow[]> =>
    viewer === null
      ? toAll(reader, { list })
      : toViewer(reader, { list, personId: viewer.personId });
}

const visibleByGuids = prepareVisible((reader, list) =>
  selectPosts(reader).where(isOneOf(dialectOf(reader), "posts.guid", list)),
);
const visibleByIds = prepareVisible((reader, list) =>
  selectPosts(reader)
    .where(isListed(reader, "posts.id", list))
    .orderBy("posts.id", "desc"),
);

/** Is it a reshare of a post that is visible only to accounts that know its author? */
export async function isOfUnlisted(
  reader: Reader,
  rootGuid: string | null,
): Promise<boolean> {
  if (rootGuid === null) return false;
  return (await findPost(reader, { guid: rootGuid }))?.listed === false;
}

/** Lists a person's posts that announce an event, the first one first. */
export async function listPostsWithEvent(
  reader: Reader,
  eventId: EventId,
  personId: PersonId,
): Promise<Post[]> {
  const rows = await selectPosts(reader)
    .where("event_id", "=", eventId)
    .where("person_id", "=", personId)
    .orderBy("id")
    .execute();
  return rows.map(toPost);
}

/** Lists the people who commented on a post, liked something there, or voted. */
export async function listThoseBelow(
  reader: Reader,
  postId: PostId,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("comments")
    .select("person_id")
    .where("post_id", "=", postId)
    .union(
      reader
        .selectFrom("likes")
        .select("person_id")
        .where("post_id", "=", postId),
    )
    .union(
      reader
        .selectFrom("polls")
        .innerJoin("poll_votes", "poll_votes.poll_id", "polls.id")
        .select("poll_votes.person_id")
        .where("polls.post_id", "=", postId),
    )
    .execute();
  return rows.map((row) => row.person_id);
}

/** Lists the Guids of the comments and likes on a post. */
export async function listGuidsBelow(
  reader: Reader,
  postId: PostId,
): Promise<string[]> {
  const rows = await reader
    .selectFrom("comments")
    .select("guid")
    .where("post_id", "=", postId)
    .unionAll(
      reader.selectFrom("likes").select("guid").where("post_id", "=", postId),
    )
    .execute();
  return rows.map(({ guid }) => guid);
}

/** Lists the Guids of the votes in the poll of a post. */
export async function listVoteGuids(
  reader: Reader,
  postId: PostId,
): Promise<string[]> {
  const rows = await reader
    .selectFrom("polls")
    .innerJoin("poll_votes", "poll_votes.poll_id", "polls.id")
    .select("poll_votes.guid")
    .where("polls.post_id", "=", postId)
    .execute();
  return rows.map(({ guid }) => guid);
}

export async function countLocalPosts(reader: Reader): Promise<number> {
  const row = await reader
    .selectFrom("posts")
    .innerJoin("people", "people.id", "posts.person_id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("people.user_id", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Counts a person's public posts. */
export async function countPublicPosts(
  reader: Reader,
  personId: PersonId,
): Promise<number> {
  const row = await reader
    .selectFrom("posts")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("person_id", "=", personId)
    .where("public", "=", true)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
