import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { Accounts } from "../accounts/index.ts";
import type { FeaturedTagId, PersonId, UserId } from "../ids.ts";
import type { Viewer } from "../visibility/index.ts";
import {
  deleteFeaturedTag,
  deleteFeaturedTagsOf,
  insertFeaturedTag,
  listFeaturedTags,
} from "./featured-tag-store.ts";
import { countTagUses } from "./tag-use-queries.ts";

export type { FeaturedTag } from "./featured-tag-store.ts";
export type { TagUse } from "./tag-use-queries.ts";

/** Of one user. */
export const MAX_FEATURED_TAGS = 10;

export type FeaturedTagsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "lock">;
};

/** Tags that people put on their profiles, where everyone sees them. */
export type FeaturedTags = ReturnType<typeof createFeaturedTags>;

export function createFeaturedTags({ db, clock, accounts }: FeaturedTagsDeps) {
  return {
    list: (userId: UserId) =>
      listFeaturedTags(db.read, userId, MAX_FEATURED_TAGS),
    /**
     * @throws {KithError} `invalid` for a text that is no tag, one that is featured already, and one
     *   more than there may be
     */
    add: (userId: UserId, text: string) =>
      db.transaction(async (tx) => {
        const tag = parseTag(text);
        if (tag === undefined)
          throw new KithError("invalid", "This is not a hashtag.");
        // So that the count holds.
        await accounts.lock(tx, userId);
        const known = await listFeaturedTags(tx, userId, MAX_FEATURED_TAGS);
        if (known.some((it) => it.tag === tag))
          throw new KithError("invalid", "Hashtag has already been taken.");
        if (known.length >= MAX_FEATURED_TAGS)
          throw new KithError(
            "invalid",
            `You have already featured ${MAX_FEATURED_TAGS} hashtags.`,
          );
        const now = timestamp(clock.now());
        const added = await insertFeaturedTag(tx, userId, tag, now);
        if (!added)
          throw new KithError("invalid", "Hashtag has already been taken.");
        return added;
      }),
    /** @throws {KithError} `not_found`, also for another user's */
    remove: (userId: UserId, id: FeaturedTagId) =>
      db.transaction(async (tx) => {
        if (!(await deleteFeaturedTag(tx, userId, id)))
          throw new KithError("not_found", "No such featured tag.");
      }),
    /** Counts the posts of a person with each of these tags, as the viewer finds them in lists. */
    countUses: (personId: PersonId, tags: readonly string[], viewer: Viewer) =>
      countTagUses(db.read, personId, viewer, tags, tags.length),
    /** Lists the tags that a person uses most. */
    listUsed: (personId: PersonId, viewer: Viewer, most: number) =>
      countTagUses(db.read, personId, viewer, undefined, most),
    /** Deletes those of a user who has left. @returns false: none are left */
    removeOf: (userId: UserId) =>
      db.transaction(async (tx) => {
        await deleteFeaturedTagsOf(tx, userId);
        return false;
      }),
  };
}
