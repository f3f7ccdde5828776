import type { Reader } from "../../db/db.ts";
import {
  BLOCKS_IN_OCTET,
  listBlocks,
  MARKS,
  octetOf,
  type Block,
  type IdRange,
} from "../indexing/index.ts";

/** A part of the index that one query reads. */
export type SearchWindow = IdRange & {
  /** All posts in it have this mark. */
  readonly mark: string;
};

export type Windows = {
  /** In the order in which they are read. */
  readonly windows: readonly SearchWindow[];
  /** Are there more posts than one search may go through? */
  readonly isCut: boolean;
};

/** As many posts as one search goes through at most: about four millions. */
const MAX_BLOCKS = 256;

/**
 * Divides a range of posts into windows: first as small as blocks, because most searches find
 * enough in them, then larger ones.
 */
export async function listWindows(
  reader: Reader,
  range: IdRange,
  order: "newest" | "oldest",
): Promise<Windows> {
  const blocks = await listBlocks(reader, range, order, MAX_BLOCKS + 1);
  const some = blocks.slice(0, MAX_BLOCKS);
  const windows: SearchWindow[] = [];
  let octet: number | undefined;
  for (const [index, block] of some.entries()) {
    const part = rangeOf(blocks, index, range, order);
    const last = windows.at(-1);
    const isGrouped = index >= BLOCKS_IN_OCTET;
    if (isGrouped && last && octet === octetOf(block.number))
      windows[windows.length - 1] = {
        from: Math.min(last.from, part.from),
        to: Math.max(last.to, part.to),
        mark: last.mark,
      };
    else {
      octet = isGrouped ? octetOf(block.number) : undefined;
      const mark =
        octet === undefined ? MARKS.block(block.number) : MARKS.octet(octet);
      windows.push({ ...part, mark });
    }
  }
  return { windows, isCut: blocks.length > MAX_BLOCKS };
}

function rangeOf(
  blocks: readonly Block[],
  index: number,
  { from, to }: IdRange,
  order: "newest" | "oldest",
): IdRange {
  const newer = blocks[order === "newest" ? index - 1 : index + 1];
  return {
    from: Math.max(from, blocks[index]?.from_id ?? 0),
    to: Math.min(to, newer?.from_id ?? to),
  };
}
