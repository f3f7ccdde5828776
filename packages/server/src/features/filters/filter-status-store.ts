import type { Reader, Tx } from "../../db/db.ts";
import type { CommentId, FilterId, PostId, UserId } from "../ids.ts";

/** A post or comment that a filter matches, whatever it says. */
export type FilterStatus = {
  readonly id: number;
  readonly filterId: FilterId;
  /** The id of the post or comment. */
  readonly statusId: PostId | CommentId;
};

/** A post or a comment that a filter shall match. */
export type StatusToFilter =
  | { readonly postId: PostId; readonly commentId?: never }
  | { readonly commentId: CommentId; readonly postId?: never };

const select = (reader: Reader, userId: UserId) =>
  reader
    .selectFrom("filter_statuses")
    .innerJoin("filters", "filters.id", "filter_statuses.filter_id")
    .select(["filter_statuses.id", "filter_statuses.filter_id as filterId"])
    .select((eb) =>
      eb.fn
        .coalesce("filter_statuses.post_id", "filter_statuses.comment_id")
        .$castTo<PostId | CommentId>()
        .as("statusId"),
    )
    .where("filters.user_id", "=", userId)
    .orderBy("filter_statuses.id");

/** Lists those of all filters of a user, or of one, the oldest first. */
export function listFilterStatuses(
  reader: Reader,
  userId: UserId,
  filterId?: FilterId,
): Promise<FilterStatus[]> {
  const all = select(reader, userId);
  return filterId === undefined
    ? all.execute()
    : all.where("filters.id", "=", filterId).execute();
}

export function findFilterStatus(
  reader: Reader,
  userId: UserId,
  id: number,
): Promise<FilterStatus | undefined> {
  return select(reader, userId)
    .where("filter_statuses.id", "=", id)
    .executeTakeFirst();
}

/** Adds one that the filter does not have yet. */
export async function insertFilterStatus(
  tx: Tx,
  filterId: FilterId,
  { postId, commentId }: StatusToFilter,
): Promise<void> {
  await tx
    .insertInto("filter_statuses")
    .values({
      filter_id: filterId,
      post_id: postId ?? null,
      comment_id: commentId ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteFilterStatus(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom("filter_statuses").where("id", "=", id).execute();
}
