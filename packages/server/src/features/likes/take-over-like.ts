import { lockNames } from "../../db/lock-names.ts";
import { receivedTimestamp } from "../../lib/time/clock.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import { findLikeOf, insertLike, type NewLike } from "./like-store.ts";
import { lockTarget, type LikeDeps } from "./like.ts";

/** A like or a dislike of a server that moves here as a whole, by anybody. */
export type LikeToTakeOver = Omit<NewLike, "uri"> & {
  /** RFC 3339; never in the future. */
  readonly createdAt: string;
};

/**
 * Stores a like under its own Guid and date, once. Records no fact: nobody is notified, and no
 * other server gets it.
 * @returns false if it is here, also if it was taken back since
 * @throws {KithError} `not_found` for a target that is gone
 */
export async function takeOverLike(
  { db, clock, indexing, retractions }: LikeDeps,
  { createdAt, ...like }: LikeToTakeOver,
): Promise<boolean> {
  const { guid, personId } = like;
  const writing = db.transaction(async (tx) => {
    await lockTarget(db, tx, like, personId);
    await lockNames(tx, db.dialect, [guid]);
    if (await findLikeOf(tx, like, personId)) return false;
    const thing = { kind: "Like", guid, uri: null, personId } as const;
    if (await retractions.isRetracted(tx, thing)) return false;
    const at = receivedTimestamp(createdAt, clock.now());
    const id = await insertLike(tx, { ...like, uri: null }, at);
    if (id === undefined) return false;
    await indexing.renewPost(tx, like.postId);
    return true;
  });
  return notFoundIfGone(writing);
}
