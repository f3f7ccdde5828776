import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import type { Strike, StrikeAction } from "./strike.ts";

export async function insertStrike(
  tx: Tx,
  strike: Omit<Strike, "appeal" | "endedAt" | "id">,
): Promise<number> {
  const { id } = await tx
    .insertInto("strikes")
    .values({
      guid: strike.guid,
      person_id: strike.personId,
      action: strike.action,
      message: strike.message,
      excerpt: strike.excerpt,
      created_at: strike.createdAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateMessage(
  tx: Tx,
  id: number,
  message: string,
): Promise<void> {
  await tx
    .updateTable("strikes")
    .set({ message })
    .where("id", "=", id)
    .execute();
}

/** Ends the strikes of an action that are in force. @returns those with an open appeal */
export async function endStrikes(
  tx: Tx,
  personId: PersonId,
  action: StrikeAction,
  now: Timestamp,
): Promise<number[]> {
  const rows = await tx
    .updateTable("strikes")
    .set({ ended_at: now })
    .where("person_id", "=", personId)
    .where("action", "=", action)
    .where("ended_at", "is", null)
    .returning(["id", "appealed_at", "decided_at"])
    .execute();
  return rows
    .filter((row) => row.appealed_at !== null && row.decided_at === null)
    .map((row) => row.id);
}

/** @returns false if it was ended already */
export async function endStrike(
  tx: Tx,
  id: number,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("strikes")
    .set({ ended_at: now })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false if it was appealed already, or is no longer in force */
export async function saveAppeal(
  tx: Tx,
  id: number,
  text: string,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("strikes")
    .set({ appeal: text, appealed_at: now })
    .where("id", "=", id)
    .where("appealed_at", "is", null)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false if there is no open appeal */
export async function decideAppeal(
  tx: Tx,
  id: number,
  accepted: boolean,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("strikes")
    .set({ accepted, decided_at: now })
    .where("id", "=", id)
    .where("appealed_at", "is not", null)
    .where("decided_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes strikes of a deleted person, with their appeals. @returns how many */
export async function deleteSomeStrikesOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("strikes")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("strikes as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
