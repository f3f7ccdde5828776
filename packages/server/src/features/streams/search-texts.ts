import { scheduler } from "node:timers/promises";
import type { Viewer } from "../visibility/index.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import type { Posts } from "../posts/index.ts";
import type { TextExpression } from "./expression.ts";

/**
 * The scan depth of an expression: it searches the newest posts that the user may see until
 * one of these limits is reached.
 */
export const SEARCH_LIMITS = {
  posts: 2_000,
  /**
   * Characters times the size of the expression: a fifth of a second for the worst
   * expressions.
   */
  work: 50_000_000,
  characters: 2_000_000,
  timeMs: 1_000,
} as const;

const BATCH = 100;

export type SearchDeps = { readonly clock: Clock; readonly posts: Posts };

/** The matches, and whether the time limit ended the search: another search may find more. */
export type Searched = {
  readonly ids: readonly PostId[];
  readonly isCut: boolean;
};

/** Finds the posts whose text matches. Yields to other work between batches. */
export async function searchTexts(
  { clock, posts }: SearchDeps,
  viewer: NonNullable<Viewer>,
  expression: TextExpression,
): Promise<Searched> {
  const end = clock.now().getTime() + SEARCH_LIMITS.timeMs;
  const found: PostId[] = [];
  let left = Math.min(
    SEARCH_LIMITS.characters,
    SEARCH_LIMITS.work / expression.size,
  );
  let below: PostId | null = null;
  for (let seen = 0; seen < SEARCH_LIMITS.posts; seen += BATCH) {
    const batch = await posts.listTexts(viewer, below, BATCH);
    for (const { id, text } of batch) {
      // The newest post is always searched, however long it is.
      if (left <= 0) return { ids: found, isCut: false };
      if (clock.now().getTime() > end) return { ids: found, isCut: true };
      left -= text.length;
      if (expression.matches(text)) found.push(id);
      below = id;
    }
    if (batch.length < BATCH) break;
    await scheduler.yield();
  }
  return { ids: found, isCut: false };
}
