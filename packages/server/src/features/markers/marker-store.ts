import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";

/** The lists in which a place is kept. */
export const MARKED_LISTS = ["home", "notifications"] as const;
export type MarkedList = (typeof MARKED_LISTS)[number];

/** How far a user has read a list. */
export type Marker = {
  readonly list: MarkedList;
  readonly lastReadId: number;
  /** The number of changes. */
  readonly version: number;
  readonly updatedAt: Timestamp;
};

export async function listMarkers(
  reader: Reader,
  userId: UserId,
): Promise<Marker[]> {
  const rows = await reader
    .selectFrom("markers")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("list")
    .execute();
  return rows.map((row) => ({
    list: row.list,
    lastReadId: row.last_read_id,
    version: row.version,
    updatedAt: row.updated_at,
  }));
}

export async function saveMarker(
  tx: Tx,
  userId: UserId,
  list: MarkedList,
  lastReadId: number,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("markers")
    .values({
      ...{ user_id: userId, list, last_read_id: lastReadId },
      ...{ version: 1, updated_at: now },
    })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "list"]).doUpdateSet((eb) => ({
        last_read_id: lastReadId,
        version: eb("markers.version", "+", 1),
        updated_at: now,
      })),
    )
    .execute();
}

/** Deletes the markers of a user who has left. @returns how many */
export async function deleteMarkersOf(tx: Tx, userId: UserId): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("markers")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
