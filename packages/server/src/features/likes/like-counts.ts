import type { Db } from "../../db/db.ts";
import { keepValues, type WriteWatch } from "../freshness/index.ts";
import { countLikes, type LikeCounts } from "./like-store.ts";

const MAX_POSTS = 10_000;
const NONE: LikeCounts = { likes: 0, dislikes: 0 };

/** Counts likes as `countLikes` does, those of a post only once: everyone sees the same ones. */
export function createLikeCounts(db: Db, watch: WriteWatch) {
  const kept = keepValues<number, LikeCounts>(
    watch,
    ({ posts }) => posts,
    MAX_POSTS,
  );
  return async (
    type: "Post" | "Comment",
    ids: readonly number[],
  ): Promise<Map<number, LikeCounts>> =>
    type === "Comment"
      ? countLikes(db.read, type, ids)
      : kept.read("", ids, async (missing) => {
          const counts = await countLikes(db.read, type, missing);
          return new Map(missing.map((id) => [id, counts.get(id) ?? NONE]));
        });
}
