import type { Db } from "../../db/db.ts";
import type { PostId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Author } from "../posts/index.ts";
import { findPlace, isBroughtBy } from "./home-queries.ts";
import {
  createHomeWindows,
  listHome,
  type HomeChoice,
  type ListHomeDeps,
} from "./list-home.ts";
import { createPlaceArrivals } from "./place-arrivals.ts";
import { findSources } from "./source-queries.ts";
import { listHomesWith, type PostInHomes } from "./list-homes-with.ts";

export { keepFromHomes, noteArrivals } from "./note-arrivals.ts";
export { createPlaceArrivalsJob, PLACE_ARRIVALS } from "./place-arrivals.ts";
export type { HomeChoice, HomePost } from "./list-home.ts";
export type { PostInHomes } from "./list-homes-with.ts";

/** The homes of users: the posts of their contacts, of their tags and their own. */
export type Homes = ReturnType<typeof createHomes>;

export function createHomes(
  given: Omit<ListHomeDeps, "place" | "windows"> & { readonly db: Db },
) {
  const { read } = given.db;
  const place = createPlaceArrivals(given);
  const deps = { ...given, place, windows: createHomeWindows() };
  return {
    /** Gives all posts that are committed their places, of which the others speak. */
    place,
    /** @throws {KithError} `not_found` for another's aspect */
    list: (user: Author, choice: HomeChoice, page: Page) =>
      listHome(deps, user, choice, page),
    findSources: (userId: UserId) => findSources(read, userId),
    /** Is the post in the user's home, or its root because of it and of nothing before it? */
    isBroughtBy: (user: Author, postId: PostId) =>
      isBroughtBy(read, user, postId),
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
    /** Which of these users may have the post in their home, if they may see it? */
    listWith: (post: PostInHomes, users: readonly UserId[]) =>
      listHomesWith(read, post, users),
  };
}
