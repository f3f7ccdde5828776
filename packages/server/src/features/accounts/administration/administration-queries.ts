import { sql } from "kysely";
import type { Reader } from "../../../db/db.ts";
import { isAfter } from "../../../db/prepared-query.ts";
import type { UserId } from "../../ids.ts";
import { fetchPage, type Page } from "../../page.ts";
import { MAX_USERNAME_LENGTH, type Account, type Role } from "../account.ts";
import { toState } from "../account-store.ts";

/** An account as shown to administrators and moderators. */
export type AccountRecord = Account & {
  /** A pending account's reason for joining, in the applicant's own words. */
  readonly reason: string | null;
  /** The creator of the invitation used to sign up, if any. */
  readonly invitedBy: string | null;
};

export type AccountFilter = {
  /** A part of the username. */
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly state?: Account["state"] | undefined;
};

/** Lists accounts by id, newest first. */
export async function listAccountRecords(
  reader: Reader,
  { name = "", role, state }: AccountFilter,
  page: Page,
): Promise<AccountRecord[]> {
  // No such name can exist, and SQLite limits the length of patterns.
  if (name.length > MAX_USERNAME_LENGTH) return [];
  let query = records(reader);
  if (name !== "")
    query = query.where(
      sql<boolean>`users.username like ${`%${literal(name)}%`} escape '\\'`,
    );
  if (role !== undefined) query = query.where("users.role", "=", role);
  if (state === "suspended")
    query = query.where("people.state", "=", "shut_out");
  else if (state !== undefined)
    query = query
      .where("users.state", "=", state)
      .where(sql<boolean>`coalesce(people.state, '') <> 'shut_out'`);
  return (await fetchPage(query, "users.id", page)).map(toRecord);
}

/** Lists all accounts after an id, oldest first. */
export async function listRecordsAfter(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<AccountRecord[]> {
  const rows = await records(reader)
    .where(isAfter("users.id", afterId))
    .orderBy("users.id")
    .limit(limit)
    .execute();
  return rows.map(toRecord);
}

export async function findAccountRecord(
  reader: Reader,
  id: UserId,
): Promise<AccountRecord | undefined> {
  const row = await records(reader)
    .where("users.id", "=", id)
    .limit(1)
    .executeTakeFirst();
  return row && toRecord(row);
}

/** Does another account that can sign in have this role? */
export async function hasAnother(
  reader: Reader,
  role: Role,
  than: UserId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("users")
    .innerJoin("people", "people.user_id", "users.id")
    .select("users.id")
    .where("users.role", "=", role)
    .where("users.state", "=", "active")
    .where("people.state", "=", "active")
    .where("users.id", "<>", than)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function records(reader: Reader) {
  return reader
    .selectFrom("users")
    .leftJoin("invitations", "invitations.id", "users.invitation_id")
    .leftJoin("people", "people.user_id", "users.id")
    .select([
      "users.id",
      "users.username",
      "users.role",
      "users.state",
      "people.state as person_state",
      "users.locale",
      "users.time_zone",
      "users.last_seen_at",
      "users.created_at",
      "users.sign_up_reason",
      "invitations.by_name",
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof records>["execute"]>>[number];

function toRecord(row: Row): AccountRecord {
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    state: toState(row),
    locale: row.locale,
    timeZone: row.time_zone,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
    reason: row.sign_up_reason,
    invitedBy: row.by_name,
  };
}

/** Escapes underscores in names, which are wildcards in a pattern. */
function literal(name: string): string {
  return name.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`);
}
