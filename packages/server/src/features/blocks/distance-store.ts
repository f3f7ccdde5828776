import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import { fetchPageByTime, type Page } from "../page.ts";

/** @returns false if the person had already blocked the other */
export async function insertBlock(
  tx: Tx,
  personId: PersonId,
  blockedId: PersonId,
  now: Timestamp,
): Promise<boolean> {
  const row = await tx
    .insertInto("blocks")
    .values({
      person_id: personId,
      blocked_person_id: blockedId,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("person_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns since when the person had blocked the other; undefined if it had not */
export async function deleteBlock(
  tx: Tx,
  personId: PersonId,
  blockedId: PersonId,
): Promise<Timestamp | undefined> {
  const row = await tx
    .deleteFrom("blocks")
    .where("person_id", "=", personId)
    .where("blocked_person_id", "=", blockedId)
    .returning("created_at")
    .executeTakeFirst();
  return row?.created_at;
}

/** Lists one page of the people whom a person has blocked, newest first. */
export async function listBlockedIds(
  reader: Reader,
  personId: PersonId,
  page: Page,
): Promise<PersonId[]> {
  const query = reader
    .selectFrom("blocks")
    .select("blocked_person_id")
    .where("person_id", "=", personId);
  const rows = await fetchPageByTime(query, page, {
    time: "blocks.created_at",
    id: "blocks.blocked_person_id",
    order: "newest first",
  });
  return rows.map((row) => row.blocked_person_id);
}

export async function insertIgnore(
  tx: Tx,
  personId: PersonId,
  ignoredId: PersonId,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("ignores")
    .values({
      person_id: personId,
      ignored_person_id: ignoredId,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns false if the person did not ignore the other */
export async function deleteIgnore(
  tx: Tx,
  personId: PersonId,
  ignoredId: PersonId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("ignores")
    .where("person_id", "=", personId)
    .where("ignored_person_id", "=", ignoredId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Lists one page of the people whom a person ignores, newest first. */
export async function listIgnoredIds(
  reader: Reader,
  personId: PersonId,
  page: Page,
): Promise<PersonId[]> {
  const query = reader
    .selectFrom("ignores")
    .select("ignored_person_id")
    .where("person_id", "=", personId);
  const rows = await fetchPageByTime(query, page, {
    time: "ignores.created_at",
    id: "ignores.ignored_person_id",
    order: "newest first",
  });
  return rows.map((row) => row.ignored_person_id);
}

/** Deletes all blocks and ignores by and of a person who has left. */
export async function deleteDistanceOf(
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  await tx
    .deleteFrom("blocks")
    .where((eb) =>
      eb.or([
        eb("person_id", "=", personId),
        eb("blocked_person_id", "=", personId),
      ]),
    )
    .execute();
  await tx
    .deleteFrom("ignores")
    .where((eb) =>
      eb.or([
        eb("person_id", "=", personId),
        eb("ignored_person_id", "=", personId),
      ]),
    )
    .execute();
}
