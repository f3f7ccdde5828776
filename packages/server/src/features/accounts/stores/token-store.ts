import type { Reader, Tx } from "../../../db/db.ts";
import { isAfter, prepareQuery } from "../../../db/prepared-query.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { TokenId, UserId } from "../../ids.ts";
import type { AccessToken, SignedIn } from "../account.ts";
import { hashSecret } from "../keys/hash-secret.ts";
import { toSignedIn } from "./session-store.ts";
import { TOKEN_MARK } from "../keys/token-seal.ts";

/** Stores a token; a client that already has one keeps it, and it counts as used now. */
export async function saveToken(
  tx: Tx,
  token: {
    userId: UserId;
    clientId: string;
    secret: string;
    sealed: string;
    now: Timestamp;
  },
): Promise<void> {
  await tx
    .insertInto("access_tokens")
    .values({
      user_id: token.userId,
      client_id: token.clientId,
      token_hash: hashSecret(token.secret),
      token_sealed: token.sealed,
      created_at: token.now,
      last_used_at: token.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "client_id"])
        .doUpdateSet({ last_used_at: token.now }),
    )
    .execute();
}

/** Deletes a user's expired tokens. */
export async function deleteUnusedTokens(
  tx: Tx,
  userId: UserId,
  usedBefore: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("access_tokens")
    .where("user_id", "=", userId)
    .where("last_used_at", "<", usedBefore)
    .execute();
}

export async function findToken(
  reader: Reader,
  userId: UserId,
  clientId: string,
): Promise<(AccessToken & StoredToken) | undefined> {
  const row = await reader
    .selectFrom("access_tokens")
    .select(["id", "client_id", "token_hash", "token_sealed"])
    .select(["created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return (
    row && {
      ...toToken(row),
      ...{ userId, tokenHash: row.token_hash, sealed: row.token_sealed },
    }
  );
}

/** A stored token with its row. */
export type StoredToken = {
  readonly id: TokenId;
  readonly userId: UserId;
  readonly clientId: string;
  readonly tokenHash: string;
  readonly sealed: string;
};

/** Lists the tokens sealed by an older Kith, by id. */
export async function listUnboundTokens(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<StoredToken[]> {
  const rows = await reader
    .selectFrom("access_tokens")
    .select(["id", "user_id", "client_id", "token_hash", "token_sealed"])
    .where("token_sealed", "not like", `${TOKEN_MARK}%`)
    .where(isAfter("id", afterId))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    clientId: row.client_id,
    tokenHash: row.token_hash,
    sealed: row.token_sealed,
  }));
}

/** Reseals a token, unless it was changed since it was read. */
export async function updateSealedToken(
  tx: Tx,
  { id, sealed }: Pick<StoredToken, "id" | "sealed">,
  anew: string,
): Promise<void> {
  await tx
    .updateTable("access_tokens")
    .set({ token_sealed: anew })
    .where("id", "=", id)
    .where("token_sealed", "=", sealed)
    .execute();
}

/** Replaces a token that cannot be opened. */
export async function replaceToken(
  tx: Tx,
  id: TokenId,
  secret: string,
  sealed: string,
): Promise<void> {
  await tx
    .updateTable("access_tokens")
    .set({ token_hash: hashSecret(secret), token_sealed: sealed })
    .where("id", "=", id)
    .execute();
}

type TokenUse = {
  readonly user: SignedIn;
  readonly tokenId: TokenId;
  readonly lastUsedAt: Timestamp;
  readonly lastSeenAt: Timestamp | null;
};

const selectUse = (reader: Reader, tokenHash: string) =>
  reader
    .selectFrom("access_tokens")
    .innerJoin("users", "users.id", "access_tokens.user_id")
    .innerJoin("people", "people.user_id", "users.id")
    .select([
      "access_tokens.id",
      "access_tokens.last_used_at",
      "users.id as user_id",
      "users.username",
      "users.role",
      "users.last_seen_at",
      "people.id as person_id",
    ])
    .where("access_tokens.token_hash", "=", tokenHash)
    .where("users.state", "=", "active")
    .where("people.state", "<>", "shut_out");

type UseRow = Awaited<
  ReturnType<ReturnType<typeof selectUse>["executeTakeFirstOrThrow"]>
>;

const byHash = prepareQuery<{ tokenHash: string }, UseRow>(
  (reader, value) => selectUse(reader, value("tokenHash")).compile(),
  { types: { tokenHash: "text" } },
);

/** Finds the user of a token. On the hot path of every request. */
export async function findTokenUse(
  reader: Reader,
  secret: string,
): Promise<TokenUse | undefined> {
  const [row] = await byHash(reader, { tokenHash: hashSecret(secret) });
  return (
    row && {
      user: toSignedIn(row),
      tokenId: row.id,
      lastUsedAt: row.last_used_at,
      lastSeenAt: row.last_seen_at,
    }
  );
}

export async function updateTokenUse(
  tx: Tx,
  id: TokenId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("access_tokens")
    .set({ last_used_at: now })
    .where("id", "=", id)
    .execute();
}

export async function listTokens(
  reader: Reader,
  userId: UserId,
  usedSince: Timestamp,
): Promise<AccessToken[]> {
  const rows = await reader
    .selectFrom("access_tokens")
    .select(["id", "client_id", "created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .where("last_used_at", ">=", usedSince)
    .orderBy("id", "desc")
    .limit(1000)
    .execute();
  return rows.map(toToken);
}

/** @returns false if the user has no such token */
export async function deleteToken(
  tx: Tx,
  userId: UserId,
  id: TokenId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("access_tokens")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** @param kept the secret of the token that stays */
export async function deleteTokensOf(
  tx: Tx,
  userId: UserId,
  kept?: string,
): Promise<void> {
  let query = tx.deleteFrom("access_tokens").where("user_id", "=", userId);
  if (kept !== undefined)
    query = query.where("token_hash", "<>", hashSecret(kept));
  await query.execute();
}

function toToken(row: {
  id: TokenId;
  client_id: string;
  created_at: string;
  last_used_at: string;
}): AccessToken {
  return {
    id: row.id,
    clientId: row.client_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
