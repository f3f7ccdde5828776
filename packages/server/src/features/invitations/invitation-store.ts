import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { InvitationId, UserId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";

/** Lets a number of people sign up, even if registration is closed. */
export type Invitation = {
  readonly id: InvitationId;
  /** null if created on the command line. */
  readonly byUserId: UserId | null;
  readonly byName: string;
  readonly maxUses: number;
  readonly uses: number;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  readonly revokedAt: Timestamp | null;
};

export async function insertInvitation(
  tx: Tx,
  invitation: Pick<Invitation, "byUserId" | "byName" | "maxUses"> & {
    readonly codeHash: string;
    readonly createdAt: Timestamp;
    readonly expiresAt: Timestamp;
  },
): Promise<Invitation> {
  const row = await tx
    .insertInto("invitations")
    .values({
      code_hash: invitation.codeHash,
      by_user_id: invitation.byUserId,
      by_name: invitation.byName,
      max_uses: invitation.maxUses,
      uses: 0,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
      revoked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toInvitation(row);
}

/**
 * The number of people that a user's open invitations can let in now, and that those
 * created since a time could let in.
 */
export async function countInvited(
  reader: Reader,
  byUserId: UserId,
  now: Timestamp,
  since: Timestamp,
): Promise<{ readonly open: number; readonly sinceThen: number }> {
  const ofUser = reader
    .selectFrom("invitations")
    .where("by_user_id", "=", byUserId);
  const open = await ofUser
    .select(sql<number>`coalesce(sum(max_uses - uses), 0)`.as("count"))
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  const made = await ofUser
    .select(sql<number>`coalesce(sum(max_uses), 0)`.as("count"))
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return { open: Number(open.count), sinceThen: Number(made.count) };
}

/** Newest first. @param byUserId the inviter; absent for all */
export async function listInvitations(
  reader: Reader,
  byUserId: UserId | undefined,
  page: Page,
): Promise<Invitation[]> {
  let query = reader.selectFrom("invitations").selectAll();
  if (byUserId !== undefined) query = query.where("by_user_id", "=", byUserId);
  return (await fetchPage(query, "invitations.id", page)).map(toInvitation);
}

export async function findInvitation(
  reader: Reader,
  id: InvitationId,
): Promise<Invitation | undefined> {
  const row = await reader
    .selectFrom("invitations")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toInvitation(row);
}

/** Invitations that can still be used: by active users, or by the command line. */
function usable(reader: Reader, codeHash: string, now: Timestamp) {
  return reader
    .selectFrom("invitations")
    .leftJoin("users", "users.id", "invitations.by_user_id")
    .leftJoin("people", "people.user_id", "users.id")
    .select("invitations.id")
    .where("code_hash", "=", codeHash)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .where((eb) =>
      eb.or([
        eb("by_user_id", "is", null),
        eb("users.state", "=", "active").and("people.state", "=", "active"),
      ]),
    );
}

export async function isInvitationUsable(
  reader: Reader,
  codeHash: string,
  now: Timestamp,
): Promise<boolean> {
  const row = await usable(reader, codeHash, now)
    .where((eb) => eb("uses", "<", eb.ref("max_uses")))
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts a use if one is left. A concurrent use waits for the row lock and checks again. */
export async function takeUse(
  tx: Tx,
  codeHash: string,
  now: Timestamp,
): Promise<InvitationId | undefined> {
  const row = await tx
    .updateTable("invitations")
    .set((eb) => ({ uses: eb("uses", "+", 1) }))
    .where("id", "in", usable(tx, codeHash, now))
    .where((eb) => eb("uses", "<", eb.ref("max_uses")))
    .where("revoked_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** @returns false if it was revoked before */
export async function updateRevoked(
  tx: Tx,
  id: InvitationId,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("invitations")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function toInvitation(row: {
  id: InvitationId;
  by_user_id: UserId | null;
  by_name: string;
  max_uses: number;
  uses: number;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
}): Invitation {
  return {
    id: row.id,
    byUserId: row.by_user_id,
    byName: row.by_name,
    maxUses: row.max_uses,
    uses: row.uses,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
