import type { Reader } from "../../db/db.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Keyed } from "./export-file.ts";

/** Aspects with the handles of their members. */
export async function listAspects(
  reader: Reader,
  userId: UserId,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("aspects")
    .select(["id", "name", "created_at"])
    .where("user_id", "=", userId)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  const members =
    ids.length === 0
      ? []
      : await reader
          .selectFrom("aspect_memberships")
          .innerJoin("people", "people.id", "aspect_memberships.person_id")
          .select(["aspect_memberships.aspect_id", "people.handle"])
          .where("aspect_memberships.aspect_id", "in", ids)
          .orderBy("aspect_memberships.id")
          .execute();
  const byAspect = Map.groupBy(members, (row) => row.aspect_id);
  return rows.map((row) => ({
    key: row.id,
    record: {
      name: row.name,
      createdAt: row.created_at,
      members: (byAspect.get(row.id) ?? []).map(({ handle }) => handle),
    },
  }));
}

export async function listContacts(
  reader: Reader,
  userId: UserId,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("contacts")
    .innerJoin("people", "people.id", "contacts.person_id")
    .select([
      "contacts.id",
      "contacts.following",
      "contacts.sharing",
      "contacts.created_at",
      "people.handle",
      "people.guid",
    ])
    .where("contacts.user_id", "=", userId)
    .where("contacts.id", ">", afterId)
    .orderBy("contacts.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      handle: row.handle,
      guid: row.guid,
      following: Boolean(row.following),
      sharing: Boolean(row.sharing),
      createdAt: row.created_at,
    },
  }));
}

/** Posts with the handles of those to whom a limited one was given. */
export async function listPosts(
  reader: Reader,
  personId: PersonId,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("posts")
    .leftJoin("people as root", "root.id", "posts.root_person_id")
    .selectAll("posts")
    .select("root.handle as root_author")
    .where("posts.person_id", "=", personId)
    .where("posts.id", ">", afterId)
    .orderBy("posts.id")
    .limit(limit)
    .execute();
  const recipients = await listRecipients(
    reader,
    rows.filter((row) => !Boolean(row.public)).map(({ id }) => id),
  );
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      type: row.type,
      text: row.text,
      public: Boolean(row.public),
      nsfw: Boolean(row.nsfw),
      recipients: recipients.get(row.id) ?? [],
      rootGuid: row.root_guid,
      rootAuthor: row.root_author,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }));
}

async function listRecipients(
  reader: Reader,
  postIds: readonly number[],
): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  if (postIds.length === 0) return found;
  const rows = await reader
    .selectFrom("post_recipients")
    .innerJoin("people", "people.id", "post_recipients.person_id")
    .select(["post_recipients.post_id", "people.handle"])
    .where("post_recipients.post_id", "in", postIds)
    .orderBy("people.id")
    .execute();
  for (const [id, group] of Map.groupBy(rows, (row) => row.post_id))
    found.set(
      id,
      group.map(({ handle }) => handle),
    );
  return found;
}

/** Of the post that a comment stands on: what names it, and nothing of what it says. */
export async function listComments(
  reader: Reader,
  personId: PersonId,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("comments")
    .innerJoin("posts", "posts.id", "comments.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .selectAll("comments")
    .select(["posts.guid as post_guid", "author.handle as post_author"])
    .where("comments.person_id", "=", personId)
    .where("comments.id", ">", afterId)
    .orderBy("comments.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      text: row.text,
      postGuid: row.post_guid,
      postAuthor: row.post_author,
      parentGuid: row.parent_guid,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }));
}

export async function listLikes(
  reader: Reader,
  personId: PersonId,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("likes")
    .innerJoin("posts", "posts.id", "likes.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .leftJoin("comments", "comments.id", "likes.comment_id")
    .selectAll("likes")
    .select([
      "posts.guid as post_guid",
      "author.handle as post_author",
      "comments.guid as comment_guid",
    ])
    .where("likes.person_id", "=", personId)
    .where("likes.id", ">", afterId)
    .orderBy("likes.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      guid: row.guid,
      positive: Boolean(row.positive),
      postGuid: row.post_guid,
      postAuthor: row.post_author,
      commentGuid: row.comment_guid,
      createdAt: row.created_at,
    },
  }));
}

export async function listNotifications(
  reader: Reader,
  userId: UserId,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("notifications")
    .innerJoin("people", "people.id", "notifications.person_id")
    .selectAll("notifications")
    .select("people.handle")
    .where("notifications.user_id", "=", userId)
    .where("notifications.id", ">", afterId)
    .orderBy("notifications.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      by: row.handle,
      reason: row.reason,
      shareableType: row.shareable_type,
      shareableGuid: row.shareable_guid,
      unread: Boolean(row.unread),
      createdAt: row.created_at,
    },
  }));
}

export async function listBlocks(
  reader: Reader,
  personId: PersonId,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("blocks")
    .innerJoin("people", "people.id", "blocks.blocked_person_id")
    .select(["people.id", "people.handle", "people.guid", "blocks.created_at"])
    .where("blocks.person_id", "=", personId)
    .where("blocks.blocked_person_id", ">", afterId)
    .orderBy("blocks.blocked_person_id")
    .limit(limit)
    .execute();
  return rows.map(toDistance);
}

export async function listIgnores(
  reader: Reader,
  personId: PersonId,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("ignores")
    .innerJoin("people", "people.id", "ignores.ignored_person_id")
    .select(["people.id", "people.handle", "people.guid", "ignores.created_at"])
    .where("ignores.person_id", "=", personId)
    .where("ignores.ignored_person_id", ">", afterId)
    .orderBy("ignores.ignored_person_id")
    .limit(limit)
    .execute();
  return rows.map(toDistance);
}

function toDistance(row: {
  id: number;
  handle: string;
  guid: string;
  created_at: string;
}): Keyed {
  const { id, handle, guid, created_at: createdAt } = row;
  return { key: id, record: { handle, guid, createdAt } };
}

export async function listHiddenPosts(
  reader: Reader,
  userId: UserId,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("hidden_posts")
    .innerJoin("posts", "posts.id", "hidden_posts.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .select(["posts.id", "posts.guid", "author.handle"])
    .where("hidden_posts.user_id", "=", userId)
    .where("hidden_posts.post_id", ">", afterId)
    .orderBy("hidden_posts.post_id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: { postGuid: row.guid, postAuthor: row.handle },
  }));
}
