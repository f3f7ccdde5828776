import type { Tx } from "../../db/db.ts";
import { later, type Clock } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import { timeIdRange } from "../time-id.ts";
import { findSearchable } from "./post-content-queries.ts";
import { deletePostWords, insertPostWords } from "./post-search-store.ts";
import { wordsOfPost } from "./post-words.ts";
import { beginBlock, findBlock, isBlockFull } from "./search-blocks-store.ts";

/** After so many posts this process looks whether the newest block is full. */
const LOOK_EVERY = 1_024;
/** Longer than a transaction takes: by then, every process knows the block. */
const AHEAD_MS = 60_000;

/**
 * Brings the index of a post up to date with everything that it is found by, in the
 * transaction that changes any of it. Idempotent.
 */
export type RenewPost = (
  tx: Tx,
  id: PostId,
  options?: { readonly isNew?: boolean },
) => Promise<void>;

export function createRenewPost({
  clock,
}: {
  readonly clock: Clock;
}): RenewPost {
  let stored = 0;
  return async (tx, id, { isNew = false } = {}) => {
    const content = await findSearchable(tx, id);
    const words = content && wordsOfPost(content);
    if (!words) return isNew ? undefined : deletePostWords(tx, id);
    const block = await findBlock(tx, id);
    await insertPostWords(tx, id, words, block.number);
    if (stored % LOOK_EVERY === 0) await renewBlocks(tx, clock.now());
    stored += 1;
  };
}

/** Begins a new block once the newest one is full: in a moment, when no post has it yet. */
async function renewBlocks(tx: Tx, now: Date): Promise<void> {
  const soon = later(now, AHEAD_MS);
  const { first } = timeIdRange("post", soon, "", soon);
  const { number, from_id: from } = await findBlock(tx, first);
  if (await isBlockFull(tx, { from, to: first }))
    await beginBlock(tx, number + 1, first);
}
