import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { PostId } from "../ids.ts";

/**
 * Indexed posts lie in blocks of about this many, by id. A search reads block after block, so
 * that each query is bounded however often a word occurs. Older posts can make a block larger.
 */
export const BLOCK_SIZE = 16_384;
/** Blocks that are read at once, once the newest ones have yielded little. */
export const BLOCKS_IN_OCTET = 8;

export const octetOf = (block: number): number =>
  Math.floor(block / BLOCKS_IN_OCTET);

export type Block = { readonly number: number; readonly from_id: number };

const blockAt = prepareQuery<{ id: number }, Block>(
  (reader, value) =>
    sql<Block>`select number, from_id from search_blocks
    where from_id <= ${value("id")} order by from_id desc limit 1`.compile(
      reader,
    ),
  { types: { id: "bigint" } },
);

export async function findBlock(reader: Reader, id: number): Promise<Block> {
  const [found] = await blockAt(reader, { id });
  return found ?? { number: 0, from_id: 0 };
}

/** Ids of posts, from the first up to, but not including, the second. */
export type IdRange = { readonly from: number; readonly to: number };

/** The blocks of these posts, oldest or newest first. */
export async function listBlocks(
  reader: Reader,
  { from, to }: IdRange,
  order: "newest" | "oldest",
  limit: number,
): Promise<Block[]> {
  const { rows } = await sql<Block>`select number, from_id from search_blocks
    where from_id < ${to} and from_id >= coalesce((select max(from_id)
      from search_blocks where from_id <= ${from}), 0)
    order by from_id ${order === "newest" ? sql`desc` : sql`asc`}
    limit ${limit}`.execute(reader);
  return rows;
}

/** Do as many posts lie between these ids as a block should hold? */
export async function isBlockFull(
  reader: Reader,
  { from, to }: IdRange,
): Promise<boolean> {
  const isSqlite = dialectOf(reader) === "sqlite";
  const { rows } = await (
    isSqlite
      ? sql`select id from post_search_docsize
          where id <= ${-from} and id > ${-to}
          order by id limit 1 offset ${BLOCK_SIZE - 1}`
      : sql`select post_id from post_search
          where post_id >= ${from} and post_id < ${to}
          order by post_id limit 1 offset ${BLOCK_SIZE - 1}`
  ).execute(reader);
  return rows.length > 0;
}

/** Begins the block above the newest one. Concurrent ones begin the same. */
export async function beginBlock(
  tx: Tx,
  number: number,
  fromId: number,
): Promise<void> {
  await sql`insert into search_blocks (number, from_id)
    values (${number}, ${fromId}) on conflict do nothing`.execute(tx);
}

/** The oldest block, and where the next one begins. */
export async function findOldestBlock(
  reader: Reader,
): Promise<{ readonly number: number; readonly to: number }> {
  const { rows } = await sql<Block>`select number, from_id from search_blocks
    order by from_id limit 2`.execute(reader);
  const [oldest, next] = rows;
  return {
    number: oldest?.number ?? 0,
    to: next?.from_id ?? Number.MAX_SAFE_INTEGER,
  };
}

/** Ends the oldest block at this post, and begins the one below it. */
export async function beginBlockBelow(
  tx: Tx,
  number: number,
  fromId: PostId,
): Promise<void> {
  await sql`update search_blocks set from_id = ${fromId}
    where number = ${number}`.execute(tx);
  await beginBlock(tx, number - 1, 0);
}
