import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { Follower } from "../contacts/index.ts";
import type { HostBlockId, PersonId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";

/** A server that a person has blocked. */
export type HostBlock = {
  readonly id: HostBlockId;
  /** As in handles, with its port. */
  readonly host: string;
  readonly createdAt: Timestamp;
};

const COLUMNS = ["id", "host", "created_at as createdAt"] as const;

/** Idempotent. @returns false if the person had already blocked the host */
export async function insertHostBlock(
  tx: Tx,
  personId: PersonId,
  host: string,
  now: Timestamp,
): Promise<boolean> {
  const row = await tx
    .insertInto("host_blocks")
    .values({ person_id: personId, host, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns false if the person had not blocked the host */
export async function deleteHostBlock(
  tx: Tx,
  personId: PersonId,
  host: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("host_blocks")
    .where("person_id", "=", personId)
    .where("host", "=", host)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function findHostBlock(
  reader: Reader,
  personId: PersonId,
  host: string,
): Promise<HostBlock | undefined> {
  return reader
    .selectFrom("host_blocks")
    .select(COLUMNS)
    .where("person_id", "=", personId)
    .where("host", "=", host)
    .executeTakeFirst();
}

/** Lists one page of the servers that a person has blocked, newest first. */
export async function listHostBlocks(
  reader: Reader,
  personId: PersonId,
  page: Page,
): Promise<HostBlock[]> {
  const query = reader
    .selectFrom("host_blocks")
    .select(COLUMNS)
    .where("person_id", "=", personId);
  return fetchPage(query, "host_blocks.id", page);
}

export async function countHostBlocks(
  reader: Reader,
  personId: PersonId,
): Promise<number> {
  const row = await reader
    .selectFrom("host_blocks")
    .select((eb) => eb.fn.countAll<number | string>().as("count"))
    .where("person_id", "=", personId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Some people on the host with whom the user has a contact, in either direction. */
export async function listSomeContactsOn(
  reader: Reader,
  { userId }: Follower,
  host: string,
  limit: number,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("contacts")
    .innerJoin("people", "people.id", "contacts.person_id")
    .select("people.id")
    .where("contacts.user_id", "=", userId)
    .where("people.host", "=", host)
    .where("people.state", "=", "active")
    .where((eb) =>
      eb.or([
        eb("contacts.following", "=", true),
        eb("contacts.sharing", "=", true),
      ]),
    )
    .orderBy("people.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Some people whom the person blocks because of their host. */
export async function listSomeBlockedOn(
  reader: Reader,
  personId: PersonId,
  host: string,
  limit: number,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("blocks")
    .innerJoin("people", "people.id", "blocks.blocked_person_id")
    .select("people.id")
    .where("blocks.person_id", "=", personId)
    .where("blocks.by_host", "=", true)
    .where("people.host", "=", host)
    .orderBy("people.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
