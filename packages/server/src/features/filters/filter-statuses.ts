import { lockKey } from "../../db/dialect.ts";
import { KithError } from "../../lib/errors.ts";
import type { FilterId, UserId } from "../ids.ts";
import { findFilter } from "./filter-store.ts";
import {
  deleteFilterStatus,
  findFilterStatus,
  insertFilterStatus,
  listFilterStatuses,
  type FilterStatus,
  type StatusToFilter,
} from "./filter-status-store.ts";
import type { SaveFilterDeps } from "./save-filter.ts";

/** All of a user's are compared with every list that the user reads. */
const MAX_STATUSES = 500;

/** Single posts and comments that the filters of users match. */
export function createFilterStatuses({
  db,
  collector,
}: Pick<SaveFilterDeps, "collector" | "db">) {
  const get = async (userId: UserId, id: number): Promise<FilterStatus> => {
    const found = await findFilterStatus(db.read, userId, id);
    if (!found) throw new KithError("not_found", "Not in any filter.");
    return found;
  };
  return {
    /** @throws {KithError} `not_found`, also for one of another user's filters */
    get,
    /** @throws {KithError} `not_found`, also for another user's filter */
    list: async (userId: UserId, filterId: FilterId) => {
      await requireFilter(db.read, userId, filterId);
      return listFilterStatuses(db.read, userId, filterId);
    },
    /**
     * Adds a post or comment that the user may see; one that the filter has already stays.
     * @throws {KithError} `not_found` for another user's filter, `bad_request` for too many
     */
    add: (
      userId: UserId,
      filterId: FilterId,
      status: StatusToFilter,
    ): Promise<FilterStatus> =>
      db.transaction(async (tx) => {
        await lockKey(tx, db.dialect, `filters:${userId}`);
        await requireFilter(tx, userId, filterId);
        const wanted = status.postId ?? status.commentId;
        const isWanted = (it: FilterStatus) =>
          it.filterId === filterId && it.statusId === wanted;
        const before = await listFilterStatuses(tx, userId);
        const known = before.find(isWanted);
        if (known) return known;
        if (before.length >= MAX_STATUSES)
          throw new KithError(
            "bad_request",
            `Your filters can have ${MAX_STATUSES} posts and comments in all.`,
          );
        await insertFilterStatus(tx, filterId, status);
        collector.noteFilters(tx, userId);
        const after = await listFilterStatuses(tx, userId, filterId);
        const added = after.find(isWanted);
        if (!added) throw new Error("The filtered status cannot be read");
        return added;
      }),
    /** @throws {KithError} `not_found`, also for one of another user's filters */
    remove: async (userId: UserId, id: number) => {
      await get(userId, id);
      await db.transaction(async (tx) => {
        await deleteFilterStatus(tx, id);
        collector.noteFilters(tx, userId);
      });
    },
  };
}

async function requireFilter(
  reader: Parameters<typeof findFilter>[0],
  userId: UserId,
  id: FilterId,
): Promise<void> {
  if (!(await findFilter(reader, userId, id)))
    throw new KithError("not_found", "No such filter.");
}
