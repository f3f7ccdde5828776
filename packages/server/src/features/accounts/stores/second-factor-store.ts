import type { Reader, Tx } from "../../../db/db.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { UserId } from "../../ids.ts";

export type StoredFactor = {
  readonly sealed: string;
  readonly lastStep: number;
  readonly createdAt: Timestamp;
  /** null: not confirmed, so it does not apply yet. */
  readonly confirmedAt: Timestamp | null;
};

export async function findFactor(
  reader: Reader,
  userId: UserId,
): Promise<StoredFactor | undefined> {
  const row = await reader
    .selectFrom("second_factors")
    .select(["secret_sealed", "last_step", "created_at", "confirmed_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return (
    row && {
      sealed: row.secret_sealed,
      lastStep: row.last_step,
      createdAt: row.created_at,
      confirmedAt: row.confirmed_at,
    }
  );
}

/** Does signing in require a second factor? */
export async function hasFactor(
  reader: Reader,
  userId: UserId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("second_factors")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Saves an unconfirmed factor, replacing any other unconfirmed one. */
export async function saveUnconfirmedFactor(
  tx: Tx,
  userId: UserId,
  sealed: string,
  now: Timestamp,
): Promise<void> {
  const fresh = { secret_sealed: sealed, last_step: 0, created_at: now };
  await tx
    .insertInto("second_factors")
    .values({ ...fresh, user_id: userId, confirmed_at: null })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet(fresh)
        .where("second_factors.confirmed_at", "is", null),
    )
    .execute();
}

export async function updateFactorConfirmed(
  tx: Tx,
  userId: UserId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("second_factors")
    .set({ confirmed_at: now })
    .where("user_id", "=", userId)
    .execute();
}

/** @returns false if the code of this step, or of a later one, was already accepted */
export async function updateLastStep(
  tx: Tx,
  userId: UserId,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Replaces all existing recovery codes. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: UserId,
  hashes: readonly string[],
): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await tx
    .insertInto("recovery_codes")
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

/** @returns false if there is no such code, or it was already used */
export async function takeRecoveryCode(
  tx: Tx,
  userId: UserId,
  hash: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(
  reader: Reader,
  userId: UserId,
): Promise<number> {
  const rows = await reader
    .selectFrom("recovery_codes")
    .select("code_hash")
    .where("user_id", "=", userId)
    .limit(100)
    .execute();
  return rows.length;
}

/** Also deletes its recovery codes. */
export async function deleteFactor(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await tx.deleteFrom("second_factors").where("user_id", "=", userId).execute();
}
