import { KithError } from "../../lib/errors.ts";
import type { Comment } from "../comments/index.ts";
import { readEndTime } from "../end-time.ts";
import type { CommentId, FilterId, PostId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Post } from "../posts/index.ts";
import {
  listFiltersOf,
  matchComments,
  matchPosts,
  type FilterContext,
  type FilterMatch,
  type Viewer,
} from "../visibility/index.ts";
import { createEndFilter } from "./end-filter.ts";
import {
  deleteFilter,
  deleteSomeFiltersOf,
  findFilter,
  listFilters,
} from "./filter-store.ts";
import type { FilterChoice } from "./filter.ts";
import { createFilterStatuses } from "./filter-statuses.ts";
import { saveFilter, type SaveFilterDeps } from "./save-filter.ts";

export {
  MAX_FILTERS,
  MAX_KEYWORDS,
  type Filter,
  type FilterChoice,
} from "./filter.ts";
export type { FilterStatus } from "./filter-status-store.ts";
export { END_FILTER } from "./end-filter.ts";

/** Words that users do not want to read. The lists leave out what they hide by themselves. */
export type Filters = ReturnType<typeof createFilters>;

export function createFilters(deps: SaveFilterDeps) {
  const { db, clock, collector } = deps;
  return {
    save: (
      userId: UserId,
      choice: FilterChoice,
      id?: FilterId,
      options?: { readonly mayLackKeywords: boolean },
    ) => saveFilter(deps, userId, choice, id, options),
    /** @throws {KithError} `invalid_datetime`, or `bad_request` for the past */
    readEnd: (text?: string) => readEndTime(text, clock.now()),
    list: (userId: UserId, page: Page) => listFilters(db.read, userId, page),
    /** @throws {KithError} `not_found`, also for another user's */
    get: async (userId: UserId, id: FilterId) => {
      const filter = await findFilter(db.read, userId, id);
      if (!filter) throw new KithError("not_found", "No such filter.");
      return filter;
    },
    /** @throws {KithError} `not_found`, also for another user's */
    remove: (userId: UserId, id: FilterId) =>
      db.transaction(async (tx) => {
        if (!(await deleteFilter(tx, userId, id)))
          throw new KithError("not_found", "No such filter.");
        collector.noteFilters(tx, userId);
      }),
    /** The job that deletes a filter at its end. */
    end: createEndFilter(deps),
    /** Single posts and comments that they match. */
    statuses: createFilterStatuses(deps),
    /** Finds the filters of the viewer that match posts which it may see, by post. */
    matchPosts: async (
      posts: readonly Post[],
      viewer: Viewer,
      context: FilterContext,
    ) => {
      const foreign = posts.filter((it) => it.personId !== viewer?.personId);
      if (foreign.length === 0) return new Map<PostId, FilterMatch[]>();
      const filters = await listFiltersOf(db.read, viewer, context);
      return matchPosts(db.read, viewer, filters, foreign);
    },
    /** Finds the filters of the viewer that match comments below posts, by comment. */
    matchComments: async (comments: readonly Comment[], viewer: Viewer) =>
      comments.length === 0
        ? new Map<CommentId, FilterMatch[]>()
        : matchComments(
            db.read,
            viewer,
            await listFiltersOf(db.read, viewer, "thread"),
            comments,
          ),
    /** Deletes some filters of a user who has left. @returns true if more may remain */
    removeSomeOf: (userId: UserId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeFiltersOf(tx, userId, limit)) > 0,
      ),
  };
}
