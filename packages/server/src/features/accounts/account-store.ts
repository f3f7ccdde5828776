import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/clock.ts";
import type { UserId } from "../ids.ts";
import type { Account, Role, Settings } from "./account.ts";
import type { KeyPairs } from "./key-pairs.ts";

export type StoredAccount = Account & { readonly passwordHash: string };

const columns = [
  "id",
  "username",
  "password_hash",
  "role",
  "state",
  "locale",
  "time_zone",
  "last_seen_at",
  "created_at",
] as const;

const DEFAULT_SETTINGS: Settings = { locale: "en", timeZone: "UTC" };

type Row = {
  id: number;
  username: string;
  password_hash: string;
  role: string;
  state: string;
  locale: string;
  time_zone: string;
  last_seen_at: string | null;
  created_at: string;
};

function toAccount(row: Row): StoredAccount {
  return {
    id: row.id as UserId,
    username: row.username,
    passwordHash: row.password_hash,
    role: row.role as Role,
    state: row.state as Account["state"],
    locale: row.locale,
    timeZone: row.time_zone,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  };
}

/** @returns undefined where the name was ever given before */
export async function insertAccount(
  tx: Tx,
  account: {
    username: string;
    passwordHash: string;
    role: Role;
    state: Account["state"];
  },
  now: Timestamp,
): Promise<UserId | undefined> {
  const row = await tx
    .insertInto("users")
    .values({
      username: account.username,
      password_hash: account.passwordHash,
      role: account.role,
      state: account.state,
      locale: DEFAULT_SETTINGS.locale,
      time_zone: DEFAULT_SETTINGS.timeZone,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("username").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id as UserId | undefined;
}

export async function insertKeys(
  tx: Tx,
  userId: UserId,
  keys: KeyPairs,
): Promise<void> {
  await tx
    .insertInto("user_keys")
    .values({
      user_id: userId,
      rsa_private_pem: keys.rsaPrivatePem,
      ed25519_private_pem: keys.ed25519PrivatePem,
    })
    .execute();
}

/** Which of an account's two keys: RSA for requests and envelopes, Ed25519 for integrity proofs. */
export type KeyKind = "rsa" | "ed25519";

export async function findPrivateKeyPem(
  reader: Reader,
  userId: UserId,
  kind: KeyKind,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom("user_keys")
    .select(`${kind}_private_pem as pem`)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.pem;
}

const SERVER_KEY = "activitypub";

export async function findServerKey(
  reader: Reader,
): Promise<{ privatePem: string; publicPem: string } | undefined> {
  const row = await reader
    .selectFrom("server_keys")
    .select(["private_pem", "public_pem"])
    .where("name", "=", SERVER_KEY)
    .executeTakeFirst();
  return row && { privatePem: row.private_pem, publicPem: row.public_pem };
}

export async function insertServerKey(
  tx: Tx,
  privatePem: string,
  publicPem: string,
): Promise<void> {
  await tx
    .insertInto("server_keys")
    .values({
      name: SERVER_KEY,
      private_pem: privatePem,
      public_pem: publicPem,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findAccount(
  reader: Reader,
  key: { username: string } | { id: UserId },
): Promise<StoredAccount | undefined> {
  const query = reader.selectFrom("users").select(columns);
  const row = await (
    "id" in key
      ? query.where("id", "=", key.id)
      : query.where("username", "=", key.username)
  ).executeTakeFirst();
  return row && toAccount(row);
}

export async function listAccounts(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<Account[]> {
  const rows = await reader
    .selectFrom("users")
    .select(columns)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(toAccount);
}

export async function updatePassword(
  tx: Tx,
  userId: UserId,
  passwordHash: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({ password_hash: passwordHash, updated_at: now })
    .where("id", "=", userId)
    .execute();
}

export async function updateSettings(
  tx: Tx,
  userId: UserId,
  { locale, timeZone }: Settings,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({ locale, time_zone: timeZone, updated_at: now })
    .where("id", "=", userId)
    .execute();
}

/** Ends an account for good: nobody signs in any more, and the name stays taken. */
export async function updateClosed(
  tx: Tx,
  userId: UserId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({
      state: "closed",
      password_hash: "",
      locale: DEFAULT_SETTINGS.locale,
      time_zone: DEFAULT_SETTINGS.timeZone,
      last_seen_at: null,
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
}

export async function deleteKeys(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom("user_keys").where("user_id", "=", userId).execute();
}

export async function updateRole(
  tx: Tx,
  userId: UserId,
  role: Role,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({ role, updated_at: now })
    .where("id", "=", userId)
    .execute();
}

/** Lets an account in that waits for approval. @returns false where it does not wait */
export async function updateApproved(
  tx: Tx,
  userId: UserId,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("users")
    .set({ state: "active", updated_at: now })
    .where("id", "=", userId)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updateLastSeen(
  tx: Tx,
  userId: UserId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({ last_seen_at: now })
    .where("id", "=", userId)
    .execute();
}
