import type { Db, Reader } from "../../db/db.ts";
import type { PostId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Author } from "../posts/index.ts";
import { findBringing, findOwnPlace, findPlace } from "./home-queries.ts";
import {
  deleteUnplacedComment,
  KEYS_PER_POST,
} from "./comment-arrival-store.ts";
import { createHomeWindows } from "./list-entries.ts";
import { listHome, type HomeChoice, type ListHomeDeps } from "./list-home.ts";
import { createPlaceArrivals, createPlaceComments } from "./place-arrivals.ts";
import { findKey } from "./reply-queries.ts";
import { findSources } from "./source-queries.ts";
import { listHomesWith, type PostInHomes } from "./list-homes-with.ts";

export { homePlaces, noteArrivals } from "./note-arrivals.ts";
/** Keeps an old comment out of homes, in the transaction that stores it. */
export const keepCommentFromHomes = deleteUnplacedComment;
export { createPlaceArrivalsJob, PLACE_ARRIVALS } from "./place-arrivals.ts";
export type { HomeChoice, HomePost } from "./list-home.ts";
export { HOME_REPLIES, type HomeReplies } from "./reply-queries.ts";
export type { PostInHomes } from "./list-homes-with.ts";

/** The homes of users: the posts of their contacts, of their tags and their own. */
export type Homes = ReturnType<typeof createHomes>;

export function createHomes(
  given: Omit<ListHomeDeps, "place" | "placeComments" | "windows"> & {
    readonly db: Db;
  },
) {
  const { read } = given.db;
  const place = createPlaceArrivals(given);
  const placeComments = createPlaceComments(given);
  const windows = createHomeWindows();
  const deps = { ...given, place, placeComments, windows };
  return {
    /** Gives all posts that are committed their places, of which the others speak. */
    place,
    placeAll: async () => (await place()) + (await placeComments()),
    /** @throws {KithError} `not_found` for another's aspect */
    list: (user: Author, choice: HomeChoice, page: Page) =>
      listHome(deps, user, choice, page),
    findSources: (userId: UserId) => findSources(read, userId),
    /**
     * Is the post in the user's home, or its root because of it and of nothing before it? Apart
     * from the home if only exclusive aspects of the user have it.
     */
    findBringing: (user: Author, postId: PostId) =>
      findBringing(read, user, postId),
    /**
     * The keys of a page that goes on from posts, by their ids, as those of `list`. A post need
     * not be in the home any more.
     */
    findKeys: async (
      user: Author,
      { before, after }: Pick<Page, "after" | "before">,
    ): Promise<Pick<Page, "after" | "before">> => {
      await place();
      const [older, newer] = await Promise.all([
        before === undefined ? undefined : findPlace(read, user, before),
        after === undefined ? undefined : findPlace(read, user, after),
      ]);
      return {
        before: older && older.position + (older.isOwn ? 0 : 1),
        after: newer?.position,
      };
    },
    /** The same for a home with replies, by the ids of posts and comments. */
    findKeysAmongReplies: async (
      user: Author,
      { before, after }: Pick<Page, "after" | "before">,
    ): Promise<Pick<Page, "after" | "before">> => {
      await place();
      await placeComments();
      const [older, newer] = await Promise.all([
        before === undefined ? undefined : keyOf(read, user, before),
        after === undefined ? undefined : keyOf(read, user, after),
      ]);
      return {
        before: older && older.key + (older.isOwn ? 0 : 1),
        after: newer?.key,
      };
    },
    /** Which of these users may have the post in their home or an aspect, if they may see it? */
    listWith: (post: PostInHomes, users: readonly UserId[]) =>
      listHomesWith(read, post, users),
  };
}

async function keyOf(
  read: Reader,
  user: Author,
  id: number,
): Promise<{ readonly key: number; readonly isOwn: boolean }> {
  const own = await findOwnPlace(read, user, id);
  return own === undefined
    ? findKey(read, id)
    : { key: own * KEYS_PER_POST, isOwn: true };
}
