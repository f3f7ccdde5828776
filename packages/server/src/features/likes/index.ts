import type { Viewer } from "../visibility/index.ts";
import type { Reader, Tx } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Author } from "../posts/index.ts";
import { importLike, type ImportLike } from "./import-like.ts";
import {
  deleteSomeLikesOf,
  findLike,
  listLikedBy,
  listLikers,
  listLikesBy,
  listLikes,
  listLikesByGuid,
  type LikeKey,
  type LikeTarget,
  type NewLike,
} from "./like-store.ts";
import {
  getTarget,
  like,
  receiveLikeRetraction,
  receiveRemoteLike,
  unlike,
  type LikeableKey,
  type LikeDeps,
} from "./like.ts";

import { takeOverLike, type LikeToTakeOver } from "./take-over-like.ts";
import type { WriteWatch } from "../freshness/index.ts";
import { createLikeCounts } from "./like-counts.ts";

export type { Like, LikeCounts, LikeTarget, NewLike } from "./like-store.ts";
export { lockOf, type LikeableKey } from "./like.ts";

/** Likes and dislikes of posts and comments. */
export type Likes = ReturnType<typeof createLikes>;

export function createLikes(
  deps: LikeDeps & { readonly writeWatch: WriteWatch },
) {
  const { db } = deps;
  return {
    like: (by: Author, key: LikeableKey, positive: boolean) =>
      like(deps, by, key, positive),
    unlike: (by: Author, key: { guid: string } | LikeableKey) =>
      unlike(deps, by, key),
    /** An old like of the user's, from an archive. @see importLike */
    import: (old: ImportLike) => importLike(deps, old),
    /** Stores a like of a server that moves here, and notifies nobody. */
    takeOver: (old: LikeToTakeOver) => takeOverLike(deps, old),
    receive: (received: NewLike, isSaidAnew?: boolean, outer?: Tx) =>
      receiveRemoteLike(deps, received, isSaidAnew, outer),
    receiveRetraction: (key: LikeKey | LikeTarget, by: PersonId, outer?: Tx) =>
      receiveLikeRetraction(deps, key, by, outer),
    /** For jobs and federation, never for a response. */
    find: (key: LikeKey, reader: Reader = db.read) => findLike(reader, key),
    /** Likes of what the caller has found visible. */
    listByGuid: (guids: readonly string[]) => listLikesByGuid(db.read, guids),
    list: async (key: LikeableKey, viewer: Viewer, page: Page) =>
      listLikes(db.read, await getTarget(deps, key, viewer), page),
    /**
     * Deletes some likes of a person who has left.
     * @returns true if more remain
     */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeLikesOf(tx, personId, limit)) > 0,
      ),
    /** Lists a page of the user's likes, of posts and comments that it may see. */
    listLikedBy: (user: Author, page: Page) => listLikedBy(db.read, user, page),
    /** Lists a page of the likes of something, without dislikes. @throws as `list` does */
    listLikers: async (key: LikeableKey, viewer: Viewer, page: Page) =>
      listLikers(db.read, await getTarget(deps, key, viewer), page),
    /** This person's likes (true) and dislikes (false) of these posts or comments. */
    listBy: (
      personId: PersonId,
      type: "Post" | "Comment",
      ids: readonly number[],
    ) => listLikesBy(db.read, personId, type, ids),
    count: createLikeCounts(db, deps.writeWatch),
  };
}
