import type { Db, Tx } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** Records that an inbox is gone, with the time of this attempt. */
export async function saveGoneInbox(
  tx: Tx,
  url: string,
  host: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("gone_inboxes")
    .values({ url, host, since: now })
    .onConflict((conflict) =>
      conflict.column("url").doUpdateSet({ since: now }),
    )
    .execute();
}

/** Those of the inboxes that were reported gone after `since`. */
export async function listGoneAmong(
  db: Db,
  tx: Tx,
  urls: readonly string[],
  since: Timestamp,
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom("gone_inboxes")
    .select("url")
    .where(isOneOf(db.dialect, "url", JSON.stringify(urls)))
    .where("since", ">", since)
    .execute();
  return new Set(rows.map(({ url }) => url));
}

/** Deletes the record of gone inboxes of a host. */
export async function deleteGoneInboxes(tx: Tx, host: string): Promise<void> {
  await tx.deleteFrom("gone_inboxes").where("host", "=", host).execute();
}
