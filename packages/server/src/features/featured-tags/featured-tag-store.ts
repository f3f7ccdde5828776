import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { FeaturedTagId, UserId } from "../ids.ts";

/** A tag on the profile of its user. */
export type FeaturedTag = {
  readonly id: FeaturedTagId;
  /** As returned by `foldTag`. */
  readonly tag: string;
};

export async function listFeaturedTags(
  reader: Reader,
  userId: UserId,
  most: number,
): Promise<FeaturedTag[]> {
  return reader
    .selectFrom("featured_tags")
    .select(["id", "tag"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .limit(most)
    .execute();
}

/** @returns undefined if the user features it already */
export async function insertFeaturedTag(
  tx: Tx,
  userId: UserId,
  tag: string,
  now: Timestamp,
): Promise<FeaturedTag | undefined> {
  return tx
    .insertInto("featured_tags")
    .values({ user_id: userId, tag, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning(["id", "tag"])
    .executeTakeFirst();
}

/** @returns false if the user has no such one */
export async function deleteFeaturedTag(
  tx: Tx,
  userId: UserId,
  id: FeaturedTagId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("featured_tags")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes those of a user who has left. @returns how many */
export async function deleteFeaturedTagsOf(
  tx: Tx,
  userId: UserId,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("featured_tags")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
