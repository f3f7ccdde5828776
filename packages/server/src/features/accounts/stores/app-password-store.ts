import type { Reader, Tx } from "../../../db/db.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { AppPasswordId, UserId } from "../../ids.ts";
import type { SignedIn } from "../account.ts";
import { hashSecret } from "../keys/hash-secret.ts";
import { toSignedIn } from "./session-store.ts";

/** An app password as shown to its owner. */
export type AppPassword = {
  readonly id: AppPasswordId;
  readonly name: string;
  readonly createdAt: Timestamp;
  /** To the hour. */
  readonly lastUsedAt: Timestamp | null;
};

export async function insertAppPassword(
  tx: Tx,
  userId: UserId,
  { name, secret }: { readonly name: string; readonly secret: string },
  now: Timestamp,
): Promise<AppPassword> {
  const { id } = await tx
    .insertInto("app_passwords")
    .values({
      user_id: userId,
      name,
      secret_hash: hashSecret(secret),
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, name, createdAt: now, lastUsedAt: null };
}

/** A user's app passwords, newest first. */
export async function listAppPasswords(
  reader: Reader,
  userId: UserId,
  limit: number,
): Promise<AppPassword[]> {
  const rows = await reader
    .selectFrom("app_passwords")
    .select(["id", "name", "created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** @returns false if the user has no such app password */
export async function deleteAppPassword(
  tx: Tx,
  userId: UserId,
  id: AppPasswordId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("app_passwords")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteAppPasswordsOf(
  tx: Tx,
  userId: UserId,
): Promise<void> {
  await tx.deleteFrom("app_passwords").where("user_id", "=", userId).execute();
}

type AppPasswordUse = {
  readonly id: AppPasswordId;
  readonly lastUsedAt: Timestamp | null;
  readonly user: SignedIn;
};

/** Finds the user of an app password, who can sign in. */
export async function findAppPasswordUse(
  reader: Reader,
  username: string,
  secret: string,
): Promise<AppPasswordUse | undefined> {
  const row = await selectSignedIn(reader)
    .innerJoin("app_passwords", "app_passwords.user_id", "users.id")
    .select(["app_passwords.id", "app_passwords.last_used_at"])
    .where("app_passwords.secret_hash", "=", hashSecret(secret))
    .where("users.username", "=", username)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      lastUsedAt: row.last_used_at,
      user: toSignedIn(row),
    }
  );
}

export async function updateAppPasswordUse(
  tx: Tx,
  id: AppPasswordId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("app_passwords")
    .set({ last_used_at: now })
    .where("id", "=", id)
    .execute();
}

/** Finds a user who can sign in. */
export async function findActiveUser(
  reader: Reader,
  userId: UserId,
): Promise<SignedIn | undefined> {
  const row = await selectSignedIn(reader)
    .where("users.id", "=", userId)
    .executeTakeFirst();
  return row && toSignedIn(row);
}

function selectSignedIn(reader: Reader) {
  return reader
    .selectFrom("users")
    .innerJoin("people", "people.user_id", "users.id")
    .select(["users.id as user_id", "users.username", "users.role"])
    .select("people.id as person_id")
    .where("users.state", "=", "active")
    .where("people.state", "<>", "shut_out");
}
