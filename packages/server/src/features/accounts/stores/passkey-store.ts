import type { Reader, Tx } from "../../../db/db.ts";
import { loadJson, storeJson } from "../../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { PasskeyId, UserId } from "../../ids.ts";
import { hashSecret } from "../keys/hash-secret.ts";

/** A passkey as shown to its owner. */
export type Passkey = {
  readonly id: PasskeyId;
  readonly name: string;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
};

/** The data needed to verify possession of a passkey. */
export type PasskeyCredential = {
  /** The browser's id of the passkey, base64url. */
  readonly credentialId: string;
  /** COSE. */
  readonly publicKey: Uint8Array;
  /** The signature counter, if the authenticator counts. */
  readonly counter: number;
  /** How the browser reaches it. */
  readonly transports: readonly string[];
};

export type StoredPasskey = PasskeyCredential & {
  readonly id: PasskeyId;
  readonly userId: UserId;
};

/** @returns false if it is already registered */
export async function insertPasskey(
  tx: Tx,
  userId: UserId,
  passkey: PasskeyCredential & { name: string },
  now: Timestamp,
): Promise<boolean> {
  const row = await tx
    .insertInto("passkeys")
    .values({
      user_id: userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: storeJson(passkey.transports),
      name: passkey.name,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function findPasskey(
  reader: Reader,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const row = await reader
    .selectFrom("passkeys")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      credentialId: row.credential_id,
      publicKey: row.public_key,
      counter: row.counter,
      transports: loadJson(row.transports),
    }
  );
}

/** Lists a user's passkeys, whose number is limited, oldest first. */
export async function listPasskeys(
  reader: Reader,
  userId: UserId,
): Promise<(Passkey & Pick<StoredPasskey, "credentialId" | "transports">)[]> {
  const rows = await reader
    .selectFrom("passkeys")
    .select(["id", "name", "created_at", "last_used_at"])
    .select(["credential_id", "transports"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .limit(1000)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    credentialId: row.credential_id,
    transports: loadJson(row.transports),
  }));
}

/** @returns false if it was deleted, or used meanwhile with a counter at least as high */
export async function updatePasskeyUse(
  tx: Tx,
  id: PasskeyId,
  counter: number,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("passkeys")
    .set({ counter, last_used_at: now })
    .where("id", "=", id)
    // Synced passkeys do not count: their counter stays 0.
    .where("counter", counter === 0 ? "=" : "<", counter)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false if the user has no such passkey */
export async function deletePasskey(
  tx: Tx,
  userId: UserId,
  id: PasskeyId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deletePasskeysOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom("passkeys").where("user_id", "=", userId).execute();
}

/** @param userId the user who adds a passkey; null for a sign-in */
export async function insertChallenge(
  tx: Tx,
  challenge: string,
  userId: UserId | null,
  times: { readonly now: Timestamp; readonly expiresAt: Timestamp },
): Promise<void> {
  await tx
    .deleteFrom("passkey_challenges")
    .where("expires_at", "<=", times.now)
    .execute();
  await tx
    .insertInto("passkey_challenges")
    .values({
      challenge_hash: hashSecret(challenge),
      user_id: userId,
      expires_at: times.expiresAt,
    })
    .execute();
}

/**
 * Consumes a challenge, whether or not the attempt succeeds.
 * @returns false if it was not issued to this user, was used or has expired
 */
export async function takeChallenge(
  tx: Tx,
  challenge: string,
  userId: UserId | null,
  now: Timestamp,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("passkey_challenges")
    .where("challenge_hash", "=", hashSecret(challenge))
    .where("user_id", userId === null ? "is" : "=", userId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteChallengesOf(
  tx: Tx,
  userId: UserId,
): Promise<void> {
  await tx
    .deleteFrom("passkey_challenges")
    .where("user_id", "=", userId)
    .execute();
}
