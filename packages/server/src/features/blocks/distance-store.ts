import type { Reader, Tx } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import { fetchPageByTime, type Page } from "../page.ts";

/** @returns false if the person had already blocked the other */
export async function insertBlock(
  tx: Tx,
  personId: PersonId,
  blockedId: PersonId,
  now: Timestamp,
  byHost = false,
): Promise<boolean> {
  const row = await tx
    .insertInto("blocks")
    .values({
      person_id: personId,
      blocked_person_id: blockedId,
      created_at: now,
      by_host: byHost,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("person_id")
    .executeTakeFirst();
  if (row !== undefined) return true;
  // A block of the person itself does not end with that of the server.
  if (!byHost)
    await tx
      .updateTable("blocks")
      .set({ by_host: false })
      .where("person_id", "=", personId)
      .where("blocked_person_id", "=", blockedId)
      .where("by_host", "=", true)
      .execute();
  return false;
}

/** @returns since when the person had blocked the other; undefined if it had not */
export async function deleteBlock(
  tx: Tx,
  personId: PersonId,
  blockedId: PersonId,
  byHost = false,
): Promise<Timestamp | undefined> {
  const row = await tx
    .deleteFrom("blocks")
    .where("person_id", "=", personId)
    .where("blocked_person_id", "=", blockedId)
    .where("by_host", "=", byHost)
    .returning("created_at")
    .executeTakeFirst();
  return row?.created_at;
}

/** Lists one page of the people whom a person has blocked, newest first. */
export async function listBlockedIds(
  reader: Reader,
  personId: PersonId,
  page: Page,
): Promise<{ personId: PersonId; since: Timestamp }[]> {
  const query = reader
    .selectFrom("blocks")
    .select(["blocked_person_id", "created_at"])
    .where("person_id", "=", personId)
    .where("by_host", "=", false);
  const rows = await fetchPageByTime(query, page, {
    time: "blocks.created_at",
    id: "blocks.blocked_person_id",
    order: "newest first",
  });
  return rows.map((row) => ({
    personId: row.blocked_person_id,
    since: row.created_at,
  }));
}

export async function insertIgnore(
  tx: Tx,
  personId: PersonId,
  ignoredId: PersonId,
  now: Timestamp,
  endsAt: Timestamp | null,
): Promise<void> {
  await tx
    .insertInto("ignores")
    .values({
      person_id: personId,
      ignored_person_id: ignoredId,
      created_at: now,
      ends_at: endsAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["person_id", "ignored_person_id"])
        .doUpdateSet({ ends_at: endsAt }),
    )
    .execute();
}

/** Those of these people whom the person ignores, and until when; null for good. */
export async function listIgnoredAmong(
  reader: Reader,
  personId: PersonId,
  ids: readonly PersonId[],
): Promise<Map<PersonId, Timestamp | null>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("ignores")
    .select(["ignored_person_id", "ends_at"])
    .where("person_id", "=", personId)
    .where(isListed(reader, "ignored_person_id", JSON.stringify(ids)))
    .execute();
  return new Map(rows.map((row) => [row.ignored_person_id, row.ends_at]));
}

/** @returns undefined if the person does not ignore the other, null if it does for good */
export async function findIgnoreEnd(
  reader: Reader,
  personId: PersonId,
  ignoredId: PersonId,
): Promise<Timestamp | null | undefined> {
  const row = await reader
    .selectFrom("ignores")
    .select("ends_at")
    .where("person_id", "=", personId)
    .where("ignored_person_id", "=", ignoredId)
    .executeTakeFirst();
  return row?.ends_at;
}

export async function deleteEndedIgnore(
  tx: Tx,
  personId: PersonId,
  ignoredId: PersonId,
  now: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("ignores")
    .where("person_id", "=", personId)
    .where("ignored_person_id", "=", ignoredId)
    .where("ends_at", "<=", now)
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

export type Ignored = {
  readonly personId: PersonId;
  readonly since: Timestamp;
  /** null for good. */
  readonly endsAt: Timestamp | null;
};

/** Does the person ignore the other one? */
export async function isIgnoring(
  reader: Reader,
  personId: PersonId,
  ignoredId: PersonId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("ignores")
    .select("ignored_person_id")
    .where("person_id", "=", personId)
    .where("ignored_person_id", "=", ignoredId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists one page of the people whom a person ignores, newest first. */
export async function listIgnored(
  reader: Reader,
  personId: PersonId,
  page: Page,
): Promise<Ignored[]> {
  const query = reader
    .selectFrom("ignores")
    .select(["ignored_person_id", "created_at", "ends_at"])
    .where("person_id", "=", personId);
  const rows = await fetchPageByTime(query, page, {
    time: "ignores.created_at",
    id: "ignores.ignored_person_id",
    order: "newest first",
  });
  return rows.map((row) => ({
    personId: row.ignored_person_id,
    since: row.created_at,
    endsAt: row.ends_at,
  }));
}

/** Deletes all blocks, of servers too, and ignores by and of a person who has left. */
export async function deleteDistanceOf(
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  await tx
    .deleteFrom("host_blocks")
    .where("person_id", "=", personId)
    .execute();
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
