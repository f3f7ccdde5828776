import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import type { Keyed } from "./export-file.ts";

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
