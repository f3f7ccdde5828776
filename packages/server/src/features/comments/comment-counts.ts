import type { Db } from "../../db/db.ts";
import { keepValues, type WriteWatch } from "../freshness/index.ts";
import type { PostId } from "../ids.ts";
import { createViewerDistances, type Viewer } from "../visibility/index.ts";
import { countComments } from "./comment-store.ts";

const MAX_POSTS = 10_000;

/** Counts comments as `countComments` does, once for all who avoid nobody. */
export function createCommentCounts(db: Db, watch: WriteWatch) {
  const kept = keepValues<number, number>(
    watch,
    ({ posts }) => posts,
    MAX_POSTS,
  );
  const findDistance = createViewerDistances(db, watch);
  return async (
    postIds: readonly PostId[],
    viewer: Viewer,
  ): Promise<Map<PostId, number>> => {
    const personId = viewer?.personId ?? null;
    const avoids = personId !== null && (await findDistance(personId)).avoids;
    const readerId = avoids ? personId : null;
    const found = await kept.read(
      String(readerId),
      postIds,
      async (missing) => {
        const wanted = new Set(missing);
        const ids = postIds.filter((id) => wanted.has(id));
        const counts = await countComments(db.read, ids, readerId);
        return new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
      },
    );
    return new Map(postIds.map((id) => [id, found.get(id) ?? 0]));
  };
}
