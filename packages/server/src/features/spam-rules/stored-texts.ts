import type { Reader } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, PostId } from "../ids.ts";
import { isWithin } from "../page.ts";
import type { SpamHit } from "./spam-hit-store.ts";

/** A stored post or comment, as a rehearsal reads it. */
export type StoredText = {
  readonly id: number;
  readonly kind: SpamHit["kind"];
  readonly guid: string;
  readonly uri: string | null;
  readonly personId: PersonId;
  readonly handle: string;
  readonly host: string;
  readonly text: string;
  readonly postId: PostId;
  readonly postPersonId: PersonId;
  readonly isPublic: boolean;
  readonly createdAt: Timestamp;
};

/** Some posts below an id, newest first; no reshares, which have no text. */
export async function listPostTexts(
  reader: Reader,
  below: number,
  limit: number,
): Promise<StoredText[]> {
  const rows = await reader
    .selectFrom("posts")
    .innerJoin("people", "people.id", "posts.person_id")
    .select(["posts.id", "posts.guid", "posts.uri", "posts.person_id"])
    .select(["posts.text", "posts.public", "posts.created_at"])
    .select(["people.handle", "people.host"])
    .where("posts.root_guid", "is", null)
    .where(isWithin("posts.id", { offset: 0, limit, before: below }))
    .orderBy("posts.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, kind: "post", guid: row.guid, uri: row.uri },
    ...{ personId: row.person_id, handle: row.handle, host: row.host },
    ...{ text: row.text, postId: row.id, postPersonId: row.person_id },
    ...{ isPublic: Boolean(row.public), createdAt: row.created_at },
  }));
}

/** Some comments below an id, newest first. */
export async function listCommentTexts(
  reader: Reader,
  below: number,
  limit: number,
): Promise<StoredText[]> {
  const rows = await reader
    .selectFrom("comments")
    .innerJoin("people", "people.id", "comments.person_id")
    .innerJoin("posts", "posts.id", "comments.post_id")
    .select(["comments.id", "comments.guid", "comments.uri"])
    .select(["comments.person_id", "comments.text", "comments.post_id"])
    .select(["comments.created_at", "posts.public"])
    .select(["posts.person_id as post_person_id"])
    .select(["people.handle", "people.host"])
    .where(isWithin("comments.id", { offset: 0, limit, before: below }))
    .orderBy("comments.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, kind: "comment", guid: row.guid, uri: row.uri },
    ...{ personId: row.person_id, handle: row.handle, host: row.host },
    ...{ text: row.text, postId: row.post_id },
    postPersonId: row.post_person_id,
    ...{ isPublic: Boolean(row.public), createdAt: row.created_at },
  }));
}

/** The author of a post and those who received it, where it is limited. */
export async function listReadersHere(
  reader: Reader,
  { postId, postPersonId }: Pick<StoredText, "postId" | "postPersonId">,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("post_recipients")
    .select("person_id")
    .where("post_id", "=", postId)
    .execute();
  return [postPersonId, ...rows.map((row) => row.person_id)];
}
