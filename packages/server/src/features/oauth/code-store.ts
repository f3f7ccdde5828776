import type { Reader, Tx } from "../../db/db.ts";
import { storeJson } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { hashSecret } from "../accounts/index.ts";
import type { AppId, UserId } from "../ids.ts";
import { loadScopes } from "./app-store.ts";
import { MAX_CODES } from "./app.ts";
import type { Scope } from "./scopes.ts";

/** The permission of a person, and how the app proves that it is the one. */
export type Grant = {
  readonly appId: AppId;
  readonly userId: UserId;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** Of RFC 7636, method S256. */
  readonly challenge: string | null;
};

/** Inserts a code. Of one user a few wait, and the oldest give way. */
export async function insertCode(
  tx: Tx,
  code: string,
  grant: Grant,
  expiresAt: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("oauth_codes")
    .where("code_hash", "in", (eb) =>
      eb
        .selectFrom("oauth_codes as older")
        .select("older.code_hash")
        .where("older.user_id", "=", grant.userId)
        .orderBy("older.expires_at", "desc")
        .limit(MAX_CODES * 10)
        .offset(MAX_CODES - 1),
    )
    .execute();
  await tx
    .insertInto("oauth_codes")
    .values({
      code_hash: hashSecret(code),
      app_id: grant.appId,
      user_id: grant.userId,
      redirect_uri: grant.redirectUri,
      scopes: storeJson(grant.scopes),
      challenge: grant.challenge,
      expires_at: expiresAt,
    })
    .execute();
}

/** Finds a code that has not expired, redeemed or not. */
export async function findCode(
  reader: Reader,
  code: string,
  now: Timestamp,
): Promise<(Grant & { readonly isRedeemed: boolean }) | undefined> {
  const row = await reader
    .selectFrom("oauth_codes")
    .selectAll()
    .where("code_hash", "=", hashSecret(code))
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return (
    row && {
      appId: row.app_id,
      userId: row.user_id,
      redirectUri: row.redirect_uri,
      scopes: loadScopes(row.scopes),
      challenge: row.challenge,
      isRedeemed: row.redeemed_at !== null,
    }
  );
}

export async function updateRedeemed(
  tx: Tx,
  code: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("oauth_codes")
    .set({ redeemed_at: now })
    .where("code_hash", "=", hashSecret(code))
    .execute();
}

export async function deleteCodesOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom("oauth_codes").where("user_id", "=", userId).execute();
}

/** Deletes some expired codes. @returns how many */
export async function deleteExpiredCodes(
  tx: Tx,
  now: Timestamp,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("oauth_codes")
    .where("code_hash", "in", (eb) =>
      eb
        .selectFrom("oauth_codes as old")
        .select("old.code_hash")
        .where("old.expires_at", "<=", now)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
