import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";

/** A tag that a user follows. */
export type FollowedTag = {
  readonly id: number;
  readonly tag: string;
  readonly createdAt: Timestamp;
};

/** Idempotent: following again changes nothing. */
export async function insertFollowedTag(
  tx: Tx,
  userId: UserId,
  tag: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("followed_tags")
    .values({ user_id: userId, tag, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns false if the user did not follow it */
export async function deleteFollowedTag(
  tx: Tx,
  userId: UserId,
  tag: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("followed_tags")
    .where("user_id", "=", userId)
    .where("tag", "=", tag)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function findFollowedTag(
  reader: Reader,
  userId: UserId,
  tag: string,
): Promise<FollowedTag | undefined> {
  const row = await reader
    .selectFrom("followed_tags")
    .select(["id", "tag", "created_at"])
    .where("user_id", "=", userId)
    .where("tag", "=", tag)
    .executeTakeFirst();
  return row && { id: row.id, tag: row.tag, createdAt: row.created_at };
}

/** One page of the tags that a user follows, newest first. */
export async function listFollowedTags(
  reader: Reader,
  userId: UserId,
  page: Page,
): Promise<FollowedTag[]> {
  const query = reader
    .selectFrom("followed_tags")
    .select(["id", "tag", "created_at"])
    .where("user_id", "=", userId);
  const rows = await fetchPage(query, "followed_tags.id", page);
  return rows.map(({ id, tag, created_at }) => ({
    id,
    tag,
    createdAt: created_at,
  }));
}

/** Deletes followed tags of a deleted person. @returns how many */
export async function deleteSomeFollowedTagsOf(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("followed_tags")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("followed_tags as own")
        .select("own.id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
