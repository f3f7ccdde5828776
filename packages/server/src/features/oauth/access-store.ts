import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import { storeJson } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { hashSecret } from "../accounts/index.ts";
import type { AccessId, AppId, UserId } from "../ids.ts";
import { loadScopes } from "./app-store.ts";
import type { Access, ListedAccess } from "./app.ts";
import { deleteCodesOf } from "./code-store.ts";
import type { Scope } from "./scopes.ts";

export async function insertAccess(
  tx: Tx,
  access: {
    readonly appId: AppId;
    readonly userId: UserId | null;
    readonly scopes: readonly Scope[];
    readonly token: string;
    readonly code: string | null;
    readonly now: Timestamp;
  },
): Promise<void> {
  await tx
    .insertInto("oauth_accesses")
    .values({
      app_id: access.appId,
      user_id: access.userId,
      token_hash: hashSecret(access.token),
      scopes: storeJson(access.scopes),
      code_hash: access.code === null ? null : hashSecret(access.code),
      created_at: access.now,
      last_used_at: access.now,
    })
    .execute();
}

const selectUse = (reader: Reader, tokenHash: string, usedAfter: Timestamp) =>
  reader
    .selectFrom("oauth_accesses")
    .innerJoin("oauth_apps", "oauth_apps.id", "oauth_accesses.app_id")
    .innerJoin("users", "users.id", "oauth_accesses.user_id")
    .innerJoin("people", "people.user_id", "users.id")
    .select([
      "oauth_accesses.id",
      "oauth_accesses.app_id",
      "oauth_accesses.scopes",
      "oauth_accesses.last_used_at",
      "oauth_apps.name",
      "oauth_apps.website",
      "users.id as user_id",
      "users.username",
      "users.role",
      "users.last_seen_at",
      "people.id as person_id",
    ])
    .where("oauth_accesses.token_hash", "=", tokenHash)
    .where("oauth_accesses.last_used_at", ">", usedAfter)
    .where("users.state", "=", "active")
    .where("people.state", "<>", "shut_out");

type UseRow = Awaited<
  ReturnType<ReturnType<typeof selectUse>["executeTakeFirstOrThrow"]>
>;

const byHash = prepareQuery<
  { tokenHash: string; usedAfter: Timestamp },
  UseRow
>(
  (reader, value) =>
    selectUse(reader, value("tokenHash"), value("usedAfter")).compile(),
  { types: { tokenHash: "text", usedAfter: "text" } },
);

export type AccessUse = Access & {
  readonly id: AccessId;
  readonly appId: AppId;
  readonly lastUsedAt: Timestamp;
  readonly lastSeenAt: Timestamp | null;
};

/** Finds what a user's token allows. On the hot path of every request of an app. */
export async function findAccessUse(
  reader: Reader,
  token: string,
  usedAfter: Timestamp,
): Promise<AccessUse | undefined> {
  const [row] = await byHash(reader, {
    tokenHash: hashSecret(token),
    usedAfter,
  });
  return (
    row && {
      user: {
        userId: row.user_id,
        personId: row.person_id,
        username: row.username,
        role: row.role,
      },
      scopes: loadScopes(row.scopes),
      app: { name: row.name, website: row.website },
      id: row.id,
      appId: row.app_id,
      lastUsedAt: row.last_used_at,
      lastSeenAt: row.last_seen_at,
    }
  );
}

export type StoredAccess = {
  readonly id: AccessId;
  readonly appId: AppId;
  readonly userId: UserId | null;
  readonly scopes: readonly Scope[];
  readonly lastUsedAt: Timestamp;
};

/** Finds the access of a token, an app's own too, whatever became of its user. */
export async function findStoredAccess(
  reader: Reader,
  token: string,
): Promise<StoredAccess | undefined> {
  const row = await reader
    .selectFrom("oauth_accesses")
    .select(["id", "app_id", "user_id", "scopes", "last_used_at"])
    .where("token_hash", "=", hashSecret(token))
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      appId: row.app_id,
      userId: row.user_id,
      scopes: loadScopes(row.scopes),
      lastUsedAt: row.last_used_at,
    }
  );
}

/** Is it the token of an account that waits for approval? */
export async function isOfPendingAccount(
  reader: Reader,
  token: string,
): Promise<boolean> {
  const row = await reader
    .selectFrom("oauth_accesses")
    .innerJoin("users", "users.id", "oauth_accesses.user_id")
    .select("users.id")
    .where("token_hash", "=", hashSecret(token))
    .where("users.state", "=", "pending")
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateAccessUse(
  tx: Tx,
  id: AccessId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("oauth_accesses")
    .set({ last_used_at: now })
    .where("id", "=", id)
    .execute();
}

/** Lists the living accesses of a user, newest first. */
export async function listAccesses(
  reader: Reader,
  userId: UserId,
  usedAfter: Timestamp,
): Promise<ListedAccess[]> {
  const rows = await reader
    .selectFrom("oauth_accesses")
    .innerJoin("oauth_apps", "oauth_apps.id", "oauth_accesses.app_id")
    .select([
      "oauth_accesses.id",
      "oauth_accesses.scopes",
      "oauth_accesses.created_at",
      "oauth_accesses.last_used_at",
      "oauth_apps.name",
      "oauth_apps.website",
    ])
    .where("oauth_accesses.user_id", "=", userId)
    .where("oauth_accesses.last_used_at", ">", usedAfter)
    .orderBy("oauth_accesses.id", "desc")
    .limit(1000)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    website: row.website,
    scopes: loadScopes(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/**
 * Deletes the accesses that were used longest ago, until this many are left.
 * @param of a user, or an app without users
 */
export async function deleteSurplusAccesses(
  tx: Tx,
  of: { readonly userId: UserId } | { readonly appId: AppId },
  kept: number,
): Promise<void> {
  await tx
    .deleteFrom("oauth_accesses")
    .where("id", "in", (eb) => {
      const query = eb
        .selectFrom("oauth_accesses as one")
        .select("one.id")
        .orderBy("one.last_used_at", "desc")
        .orderBy("one.id", "desc")
        // SQLite takes an offset only with a limit.
        .limit(1000)
        .offset(kept);
      return "userId" in of
        ? query.where("one.user_id", "=", of.userId)
        : query
            .where("one.app_id", "=", of.appId)
            .where("one.user_id", "is", null);
    })
    .execute();
}

/** @returns false if the user has no such access */
export async function deleteAccess(
  tx: Tx,
  userId: UserId,
  id: AccessId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("oauth_accesses")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteAccessOfToken(
  tx: Tx,
  token: string,
): Promise<void> {
  await tx
    .deleteFrom("oauth_accesses")
    .where("token_hash", "=", hashSecret(token))
    .execute();
}

export async function deleteAccessOfCode(tx: Tx, code: string): Promise<void> {
  await tx
    .deleteFrom("oauth_accesses")
    .where("code_hash", "=", hashSecret(code))
    .execute();
}

/** Ends everything that a user has allowed to apps, and what is about to be allowed. */
export async function endAppAccess(tx: Tx, userId: UserId): Promise<void> {
  await deleteCodesOf(tx, userId);
  await tx.deleteFrom("oauth_accesses").where("user_id", "=", userId).execute();
}

/** Deletes some accesses that were not used for long. @returns how many */
export async function deleteUnusedAccesses(
  tx: Tx,
  usedBefore: { readonly ofUsers: Timestamp; readonly ofApps: Timestamp },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("oauth_accesses")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("oauth_accesses as old")
        .select("old.id")
        .where("old.last_used_at", "<", usedBefore.ofApps)
        .where((is) =>
          is.or([
            is("old.user_id", "is", null),
            is("old.last_used_at", "<", usedBefore.ofUsers),
          ]),
        )
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
