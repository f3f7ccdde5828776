import { sql } from "kysely";
import type { Db, DialectName, Tx } from "../../db/db.ts";
import { forKeyShare, rowsIn } from "../../db/dialect.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";

/** What became of the delivery of a post to an inbox. */
export type SettledDelivery = {
  readonly postId: PostId;
  /** The origin of the server. */
  readonly host: string;
  /** Was it taken? Else it was given up. */
  readonly isDelivered: boolean;
};

/** Post, host, when it was delivered, when it was given up. */
type Row = [PostId, string, Timestamp | null, Timestamp | null];

/**
 * Notes them, one row for each post and server. Of a post that is gone nothing is
 * noted: whatever is written in this transaction, it must not fail for that.
 */
export async function saveReceipts(
  db: Db,
  tx: Tx,
  settled: readonly SettledDelivery[],
  now: Timestamp,
): Promise<void> {
  if (settled.length === 0) return;
  const rows = JSON.stringify(mergeRows(settled, now));
  await save[db.dialect](tx, { rows });
}

/**
 * One statement for any number of rows, prepared: it runs with every few deliveries. In
 * one order, so that two who write the same wait for each other.
 */
const prepareSave = (dialect: DialectName) =>
  prepareQuery<{ rows: string }, never>((reader, value) =>
    sql<never>`insert into delivery_receipts (post_id, host, delivered_at, failed_at)
      select posts.id, given.value ->> 1, given.value ->> 2, given.value ->> 3
      from ${rowsIn(dialect, value("rows"))}
      join posts on posts.id = cast(given.value ->> 0 as bigint)
      where true
      order by posts.id, given.value ->> 1
      ${forKeyShare(dialect, "posts")}
      on conflict (post_id, host) do update set
        delivered_at = coalesce(excluded.delivered_at, delivery_receipts.delivered_at),
        failed_at = coalesce(excluded.failed_at, delivery_receipts.failed_at)`.compile(
      reader,
    ),
  );
const save = {
  sqlite: prepareSave("sqlite"),
  postgres: prepareSave("postgres"),
} as const;

/** A statement may write a row once. */
function mergeRows(settled: readonly SettledDelivery[], now: Timestamp): Row[] {
  const rows = new Map<string, Row>();
  for (const { postId, host, isDelivered } of settled) {
    const key = `${postId} ${host}`;
    let row = rows.get(key);
    if (!row) rows.set(key, (row = [postId, host, null, null]));
    row[isDelivered ? 2 : 3] = now;
  }
  return [...rows.values()];
}
