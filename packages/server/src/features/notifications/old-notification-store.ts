import type { Reader, Tx } from "../../db/db.ts";
import { isAfter, isListed } from "../../db/prepared-query.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { NotificationId } from "../ids.ts";

/** A part of all notifications, and those of them that are old. */
export type OldNotifications = {
  readonly ids: readonly NotificationId[];
  /** The last of the part; undefined where none follows. */
  readonly last: NotificationId | undefined;
};

/**
 * Lists those of the next notifications above an id that were made before a time, read or not.
 * Ids follow times, so a part without an old one is the last, unless a clock ahead has dated it.
 */
export async function listOldNotifications(
  reader: Reader,
  {
    above,
    before,
    now,
  }: { readonly above: number; readonly before: Date; readonly now: Date },
  limit: number,
): Promise<OldNotifications> {
  const rows = await reader
    .selectFrom("notifications")
    .select(["id", "created_at"])
    .where(isAfter("id", above))
    .orderBy("id")
    .limit(limit)
    .execute();
  const old = rows.filter((row) => row.created_at < timestamp(before));
  const isAhead = rows.some((row) => row.created_at > timestamp(now));
  const goesOn = rows.length === limit && (old.length > 0 || isAhead);
  return {
    ids: old.map(({ id }) => id),
    last: goesOn ? rows.at(-1)?.id : undefined,
  };
}

/** Deletes these if they are still older. @returns how many */
export async function deleteOldNotifications(
  tx: Tx,
  ids: readonly NotificationId[],
  before: Date,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("notifications")
    .where(isListed(tx, "id", JSON.stringify(ids)))
    .where("created_at", "<", timestamp(before))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
