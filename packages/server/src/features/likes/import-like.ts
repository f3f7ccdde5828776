import { lockNames } from "../../db/lock-names.ts";
import { receivedTimestamp } from "../../lib/time/clock.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import { refuseMoved } from "../moved.ts";
import type { Author } from "../posts/index.ts";
import { findLikeOf, insertLike } from "./like-store.ts";
import {
  getTarget,
  lockTarget,
  type LikeableKey,
  type LikeDeps,
} from "./like.ts";

/** A like or a dislike that its author gave elsewhere, of something that is known here. */
export type ImportLike = {
  readonly by: Author;
  /** Derived from the like in its archive, so that it is imported once. */
  readonly guid: string;
  readonly key: LikeableKey;
  readonly positive: boolean;
  /** RFC 3339; never in the future. */
  readonly createdAt: string;
};

/**
 * Stores an old like, once. Records no fact: nobody is notified, and no other server gets it.
 * @returns false if the author has a like or a dislike there, or took this one back after an
 *   import
 * @throws {KithError} `not_found` if the author may not see it
 */
export async function importLike(
  deps: LikeDeps,
  { by, guid, key, positive, createdAt }: ImportLike,
): Promise<boolean> {
  const { db, clock, indexing, retractions } = deps;
  const { personId } = by;
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, personId);
    const target = await getTarget(deps, key, by, tx);
    await lockTarget(db, tx, target, personId);
    await lockNames(tx, db.dialect, [guid]);
    if (await findLikeOf(tx, target, personId)) return false;
    const thing = { kind: "Like", guid, uri: null, personId } as const;
    if (await retractions.isRetracted(tx, thing)) return false;
    const like = { ...target, guid, personId, positive, uri: null };
    const at = receivedTimestamp(createdAt, clock.now());
    if ((await insertLike(tx, like, at)) === undefined) return false;
    await indexing.renewPost(tx, target.postId);
    return true;
  });
  return notFoundIfGone(writing);
}
