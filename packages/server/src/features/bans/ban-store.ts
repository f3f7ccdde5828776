import type { Selectable } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { fetchPage, type Page } from "../page.ts";
import type { Ban, BanKind } from "./ban.ts";

/** The bans of some kinds, newest first. */
export async function listBans(
  reader: Reader,
  kinds: readonly BanKind[],
  now: Timestamp,
  page: Page,
): Promise<Ban[]> {
  const query = selectLiving(reader, now).where("kind", "in", kinds);
  return (await fetchPage(query, "bans.id", page)).map(toBan);
}

/** The bans of any of these values. */
export async function listBansOf(
  reader: Reader,
  kind: BanKind,
  values: readonly string[],
  now: Timestamp,
): Promise<Ban[]> {
  if (values.length === 0) return [];
  const rows = await selectLiving(reader, now)
    .where("kind", "=", kind)
    .where("value", "in", values)
    .orderBy("id")
    .execute();
  return rows.map(toBan);
}

/** The ranges that reach nothing, with their ends. */
export function listShutOut(
  reader: Reader,
  now: Timestamp,
): Promise<{ value: string; expires_at: Timestamp | null }[]> {
  return selectLiving(reader, now)
    .clearSelect()
    .select(["value", "expires_at"])
    .where("severity", "=", "no_access")
    .execute();
}

export async function findBan(
  reader: Reader,
  id: number,
  now: Timestamp,
): Promise<Ban | undefined> {
  const row = await selectLiving(reader, now)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toBan(row);
}

export async function countBans(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom("bans")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A ban of the same value is replaced. */
export async function saveBan(tx: Tx, ban: Omit<Ban, "id">): Promise<Ban> {
  const { kind, value, severity, comment } = ban;
  const expires_at = ban.expiresAt;
  const row = await tx
    .insertInto("bans")
    .values({
      ...{ kind, value, severity, comment, expires_at },
      created_at: ban.createdAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "value"])
        .doUpdateSet({ severity, comment, expires_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return toBan(row);
}

/** @returns false if there was none */
export async function deleteBan(tx: Tx, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("bans")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteExpiredBans(tx: Tx, now: Timestamp): Promise<void> {
  await tx.deleteFrom("bans").where("expires_at", "<=", now).execute();
}

const selectLiving = (reader: Reader, now: Timestamp) =>
  reader
    .selectFrom("bans")
    .selectAll()
    .where((where) =>
      where.or([
        where("expires_at", "is", null),
        where("expires_at", ">", now),
      ]),
    );

function toBan(row: Selectable<Database["bans"]>): Ban {
  const { id, kind, value, severity, comment } = row;
  return {
    ...{ id, kind, value, severity, comment },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
