import type { Reader, Tx } from "../../../db/db.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { UserId } from "../../ids.ts";
import { hashSecret } from "../keys/hash-secret.ts";

/** Stores a sign-in with the right password that waits for the second factor. */
export async function insertPendingSignIn(
  tx: Tx,
  pending: { secret: string; userId: UserId; expiresAt: Timestamp },
): Promise<void> {
  await tx
    .insertInto("pending_sign_ins")
    .values({
      id_hash: hashSecret(pending.secret),
      user_id: pending.userId,
      expires_at: pending.expiresAt,
    })
    .execute();
}

export async function findPendingSignIn(
  reader: Reader,
  secret: string,
  now: Timestamp,
): Promise<{ userId: UserId; username: string } | undefined> {
  const row = await reader
    .selectFrom("pending_sign_ins")
    .innerJoin("users", "users.id", "pending_sign_ins.user_id")
    .select(["users.id", "users.username"])
    .where("pending_sign_ins.id_hash", "=", hashSecret(secret))
    .where("pending_sign_ins.expires_at", ">", now)
    .where("users.state", "=", "active")
    .executeTakeFirst();
  return row && { userId: row.id, username: row.username };
}

export async function deletePendingSignIn(
  tx: Tx,
  secret: string,
): Promise<void> {
  await tx
    .deleteFrom("pending_sign_ins")
    .where("id_hash", "=", hashSecret(secret))
    .execute();
}

export async function deletePendingSignInsOf(
  tx: Tx,
  userId: UserId,
): Promise<void> {
  await tx
    .deleteFrom("pending_sign_ins")
    .where("user_id", "=", userId)
    .execute();
}

export async function deleteExpiredSignIns(
  tx: Tx,
  now: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("pending_sign_ins")
    .where("expires_at", "<=", now)
    .execute();
}
