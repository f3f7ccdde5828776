import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";

export async function insertReset(
  tx: Tx,
  reset: {
    readonly hash: string;
    readonly userId: UserId;
    readonly addressKey: string;
    readonly expiresAt: Timestamp;
  },
): Promise<void> {
  await tx
    .insertInto("password_resets")
    .values({
      ...{ token_hash: reset.hash, user_id: reset.userId },
      ...{ address_key: reset.addressKey, expires_at: reset.expiresAt },
    })
    .execute();
}

/** Finds an account by a token, as long as its address is the one to which that was sent. */
export async function findReset(
  reader: Reader,
  hash: string,
  now: Timestamp,
): Promise<{ userId: UserId; username: string; address: string } | undefined> {
  const row = await reader
    .selectFrom("password_resets")
    .innerJoin("users", "users.id", "password_resets.user_id")
    .innerJoin("people", "people.user_id", "users.id")
    .innerJoin("mail_addresses", (join) =>
      join
        .onRef("mail_addresses.user_id", "=", "password_resets.user_id")
        .onRef(
          "mail_addresses.address_key",
          "=",
          "password_resets.address_key",
        ),
    )
    .select(["users.id", "users.username", "mail_addresses.address"])
    .where("password_resets.token_hash", "=", hash)
    .where("password_resets.expires_at", ">", now)
    .where("users.state", "=", "active")
    .where("people.state", "=", "active")
    .executeTakeFirst();
  return row?.address == null
    ? undefined
    : { userId: row.id, username: row.username, address: row.address };
}

/** Finds the accounts with a confirmed address that mails reach, the oldest first. */
export async function listAccountsAt(
  reader: Reader,
  addressKey: string,
  limit: number,
): Promise<{ userId: UserId; address: string }[]> {
  const rows = await reader
    .selectFrom("mail_addresses")
    .innerJoin("users", "users.id", "mail_addresses.user_id")
    .innerJoin("people", "people.user_id", "users.id")
    .select(["users.id", "mail_addresses.address"])
    .where("mail_addresses.address_key", "=", addressKey)
    .where("mail_addresses.bounced_at", "is", null)
    .where("users.state", "=", "active")
    .where("people.state", "=", "active")
    .orderBy("users.id")
    .limit(limit)
    .execute();
  return rows.flatMap(({ id, address }) =>
    address === null ? [] : { userId: id, address },
  );
}

/** All tokens of a user: one that was used ends the others, too. */
export async function deleteResetsOf(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .deleteFrom("password_resets")
    .where("user_id", "=", userId)
    .execute();
}

export async function deleteExpiredResets(
  tx: Tx,
  now: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("password_resets")
    .where("expires_at", "<=", now)
    .execute();
}
