import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { AnnouncementId, UserId } from "../ids.ts";

/** How many users reacted with one emoji, and whether the reader did. */
export type AnnouncementReaction = {
  readonly emoji: string;
  readonly count: number;
  readonly isOwn: boolean;
};

/** The reactions to announcements, in the order in which the emojis came first. */
export async function listAnnouncementReactions(
  reader: Reader,
  ids: readonly AnnouncementId[],
  userId: UserId,
): Promise<Map<AnnouncementId, AnnouncementReaction[]>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("announcement_reactions")
    .select((eb) => [
      "announcement_id",
      "emoji",
      eb.fn.countAll<number>().as("count"),
      eb.fn.min("id").as("first_id"),
      eb.fn
        .sum<number>(
          eb.case().when("user_id", "=", userId).then(1).else(0).end(),
        )
        .as("own"),
    ])
    .where("announcement_id", "in", ids)
    .groupBy(["announcement_id", "emoji"])
    .orderBy("first_id")
    .execute();
  const byId = Map.groupBy(rows, (row) => row.announcement_id);
  return new Map(
    [...byId].map(([id, all]) => [
      id,
      all.map(({ emoji, count, own }) => ({
        ...{ emoji, count: Number(count), isOwn: Number(own) > 0 },
      })),
    ]),
  );
}

/** A repetition changes nothing. @returns false then */
export async function insertAnnouncementReaction(
  tx: Tx,
  userId: UserId,
  id: AnnouncementId,
  emoji: string,
  now: Timestamp,
): Promise<boolean> {
  const row = await tx
    .insertInto("announcement_reactions")
    .values({ user_id: userId, announcement_id: id, emoji, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns false if there was none */
export async function deleteAnnouncementReaction(
  tx: Tx,
  userId: UserId,
  id: AnnouncementId,
  emoji: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("announcement_reactions")
    .where("user_id", "=", userId)
    .where("announcement_id", "=", id)
    .where("emoji", "=", emoji)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes those of a user who has left. */
export async function deleteAnnouncementReactionsOf(
  tx: Tx,
  userId: UserId,
): Promise<void> {
  await tx
    .deleteFrom("announcement_reactions")
    .where("user_id", "=", userId)
    .execute();
}
