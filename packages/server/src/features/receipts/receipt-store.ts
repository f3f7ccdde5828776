import { sql } from "kysely";
import type { Db, DialectName, Tx } from "../../db/db.ts";
import { forKeyShare, rowsIn } from "../../db/dialect.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";

/** The result of delivering a post to an inbox. */
export type SettledDelivery = {
  readonly postId: PostId;
  /** The origin of the server. */
  readonly host: string;
  /** Was it accepted? Else it was given up. */
  readonly isDelivered: boolean;
};

/** Post, host, time of delivery, time of giving up. */
type Row = [PostId, string, Timestamp | null, Timestamp | null];

/**
 * Saves one row per post and server. Ignores deleted posts: the transaction must not fail
 * because of them.
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
 * One prepared statement for any number of rows: it runs with every few deliveries. Rows
 * are sorted, so that concurrent writers wait for each other instead of deadlocking.
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

/** A statement may write a row only once. */
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
