import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";

/** @returns false if there is one under this key */
export async function insertSubmission(
  tx: Tx,
  userId: UserId,
  key: string,
  now: Timestamp,
): Promise<boolean> {
  const row = await tx
    .insertInto("submissions")
    .values({ user_id: userId, key, result: null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns undefined if there is none, or a result of null while it is under way */
export async function findSubmission(
  reader: Reader,
  userId: UserId,
  key: string,
): Promise<{ readonly result: string | null } | undefined> {
  return reader
    .selectFrom("submissions")
    .select("result")
    .where("user_id", "=", userId)
    .where("key", "=", key)
    .executeTakeFirst();
}

export async function updateResult(
  tx: Tx,
  userId: UserId,
  key: string,
  result: string,
): Promise<void> {
  await tx
    .updateTable("submissions")
    .set({ result })
    .where("user_id", "=", userId)
    .where("key", "=", key)
    .execute();
}

/** Deletes one that failed, unless its result was noted before. */
export async function deleteSubmission(
  tx: Tx,
  userId: UserId,
  key: string,
): Promise<void> {
  await tx
    .deleteFrom("submissions")
    .where("user_id", "=", userId)
    .where("key", "=", key)
    .where("result", "is", null)
    .execute();
}

/** Deletes all that are over. */
export async function deleteOldSubmissions(
  tx: Tx,
  before: Timestamp,
): Promise<void> {
  await tx.deleteFrom("submissions").where("created_at", "<", before).execute();
}

/** Deletes one that was interrupted: it began before this time, and has no result. */
export async function deleteInterrupted(
  tx: Tx,
  userId: UserId,
  key: string,
  before: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("submissions")
    .where("user_id", "=", userId)
    .where("key", "=", key)
    .where("result", "is", null)
    .where("created_at", "<", before)
    .execute();
}

/** Deletes those of a user who has left. @returns how many */
export async function deleteSomeSubmissionsOf(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("submissions")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("submissions as own")
        .select("own.id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
