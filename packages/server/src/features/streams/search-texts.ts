import { scheduler } from "node:timers/promises";
import type { Viewer } from "../visibility/index.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import type { Posts } from "../posts/index.ts";
import type { TextExpression } from "./expression.ts";

/** How far an expression looks: at the newest posts that the user may see, until one of these is used up. */
export const SEARCH_LIMITS = {
  posts: 2_000,
  /** Characters times the size of the expression: a fifth of a second of the worst ones. */
  work: 50_000_000,
  characters: 2_000_000,
  timeMs: 1_000,
} as const;

const BATCH = 100;

export type SearchDeps = { readonly clock: Clock; readonly posts: Posts };

/** What was found, and whether time ended the search: another one may find more. */
export type Searched = {
  readonly ids: readonly PostId[];
  readonly isCut: boolean;
};

/** Finds the posts whose text matches. What else there is to do goes on between the batches. */
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
      // The newest is always looked at, however long it is.
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
