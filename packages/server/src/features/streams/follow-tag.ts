import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import type { UserId } from "../ids.ts";
import {
  deleteFollowedTag,
  findFollowedTag,
  insertFollowedTag,
  listFollowedTags,
  type FollowedTag,
} from "./followed-tag-store.ts";

export type FollowTagDeps = { readonly db: Db; readonly clock: Clock };

/** Each is one index scan when the posts of all are listed. */
export const MAX_FOLLOWED_TAGS = 200;

/** @throws {KithError} `not_found` for an invalid tag */
export function getTag(text: string): string {
  const tag = parseTag(text);
  if (tag === undefined) throw new KithError("not_found", "No such tag.");
  return tag;
}

/**
 * @throws {KithError} `not_found` for an invalid tag, `bad_request` if the user follows too
 * many
 */
export async function followTag(
  { db, clock }: FollowTagDeps,
  userId: UserId,
  text: string,
): Promise<FollowedTag> {
  const tag = getTag(text);
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `followed-tags:${userId}`);
    const known = await findFollowedTag(tx, userId, tag);
    if (known) return known;
    const page = { offset: 0, limit: MAX_FOLLOWED_TAGS };
    const all = await listFollowedTags(tx, userId, page);
    if (all.length >= MAX_FOLLOWED_TAGS)
      throw new KithError("bad_request", "You follow as many tags as you can.");
    await insertFollowedTag(tx, userId, tag, timestamp(clock.now()));
    const stored = await findFollowedTag(tx, userId, tag);
    if (!stored) throw new Error("The followed tag cannot be read");
    return stored;
  });
}

/** @throws {KithError} `not_found` if the user does not follow it */
export async function unfollowTag(
  { db }: FollowTagDeps,
  userId: UserId,
  text: string,
): Promise<void> {
  const tag = getTag(text);
  await db.transaction(async (tx) => {
    if (!(await deleteFollowedTag(tx, userId, tag)))
      throw new KithError("not_found", "The tag is not followed.");
  });
}
