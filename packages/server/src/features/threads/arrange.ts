import { KithError } from "../../lib/errors.ts";
import type { CommentNode } from "../comments/index.ts";
import type { CommentId } from "../ids.ts";
import { isReadBackwards, type Page } from "../page.ts";

/** A comment at its place in a thread. */
export type Placed = {
  readonly id: CommentId;
  /** The number of shown comments above it, counted from the root of the thread. */
  readonly depth: number;
};

/**
 * Orders comments with the replies to each directly below it, and replies to the same one
 * by their age. A comment whose parent is not among them replies to the post itself: a
 * reader cannot tell a parent that is hidden from one that was deleted or has not arrived.
 * @param nodes the oldest first
 * @param root a comment whose replies alone are wanted
 */
export function arrangeThread(
  nodes: readonly CommentNode[],
  root: CommentNode | null = null,
): Placed[] {
  const known = new Set(nodes.map(({ guid }) => guid));
  const parentOf = ({ guid, parentGuid }: CommentNode) =>
    parentGuid !== null && parentGuid !== guid && known.has(parentGuid)
      ? parentGuid
      : null;
  const replies = Map.groupBy(nodes, parentOf);
  const seen = new Set<CommentId>(root ? [root.id] : []);
  const placed: Placed[] = [];
  const place = (starts: readonly CommentNode[]): void => {
    // Not recursive: the depth is up to the writers.
    const stack = starts.toReversed().map((node) => ({ node, depth: 0 }));
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node, depth } = next;
      if (seen.has(node.id)) continue;
      seen.add(node.id);
      placed.push({ id: node.id, depth });
      for (const reply of (replies.get(node.guid) ?? []).toReversed())
        stack.push({ node: reply, depth: depth + 1 });
    }
  };
  place(replies.get(root?.guid ?? null) ?? []);
  // Comments of other servers may name each other as parents.
  if (!root) for (const node of nodes) place([node]);
  return placed;
}

/** A comment with the number of comments below it that are left out. */
export type CutPlaced = Placed & { readonly deeper: number };

/**
 * Leaves out the comments below the first levels of a thread.
 * @param levels how many of them are kept; at least 1
 */
export function cutThread(
  placed: readonly Placed[],
  levels: number,
): CutPlaced[] {
  const kept: { -readonly [K in keyof CutPlaced]: CutPlaced[K] }[] = [];
  for (const one of placed) {
    const above = kept.at(-1);
    if (one.depth < levels || !above) kept.push({ ...one, deeper: 0 });
    else above.deeper += 1;
  }
  return kept;
}

/** The place of a comment in a thread that is cut. */
export type ThreadPlace = {
  /** The comment below which it is listed; null below the post itself. */
  readonly below: CommentId | null;
  /** The comments above it in that list. */
  readonly earlier: readonly CommentId[];
};

/**
 * Finds a comment in a thread of which a page shows the first levels: deeper ones are on
 * the page of the last comment above them that is shown.
 * @param placed the whole thread
 */
export function locateInThread(
  placed: readonly Placed[],
  id: CommentId,
  levels: number,
): ThreadPlace | undefined {
  const at = placed.findIndex((one) => one.id === id);
  const found = placed[at];
  if (!found) return undefined;
  // Of the comments above it, each that is the last of so many levels has a page.
  const rootDepth = found.depth - (found.depth % levels) - 1;
  const root = placed.findLastIndex(
    ({ depth }, index) => index < at && depth === rootDepth,
  );
  const shown = placed
    .slice(root + 1, at)
    .filter(({ depth }) => depth <= rootDepth + levels);
  return {
    below: placed[root]?.id ?? null,
    earlier: shown.map((one) => one.id),
  };
}

/**
 * The page of an arranged thread: the keys are ids of comments in it, and the page begins
 * right beside the one that is given alone.
 * @throws {KithError} `bad_request` for another key
 */
export function sliceThread<P extends Placed>(
  placed: readonly P[],
  page: Page,
): P[] {
  const { before, after, offset, limit } = page;
  const positionOf = (name: "before" | "after", key: number): number => {
    const at = placed.findIndex(({ id }) => id === key);
    if (at === -1)
      throw new KithError(
        "bad_request",
        `The parameter ${name} must be the ID of a comment in this thread.`,
      );
    return at;
  };
  const start = after === undefined ? 0 : positionOf("after", after) + 1;
  const end =
    before === undefined ? placed.length : positionOf("before", before);
  const within = placed.slice(start, Math.max(start, end));
  if (!isReadBackwards(page, "oldest first"))
    return within.slice(offset, offset + limit);
  const last = within.length - offset;
  return within.slice(Math.max(0, last - limit), Math.max(0, last));
}
