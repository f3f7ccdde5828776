import { sql, type SqlBool } from "kysely";
import type { Reader, Tx } from "../../../db/db.ts";
import type { UserId } from "../../ids.ts";
import {
  isSealed,
  type KeyKind,
  type KeyOwner,
  SEALED_MARK,
} from "./key-seal.ts";

/** A private key as it is stored. */
export type StoredKey = { readonly owner: KeyOwner; readonly stored: string };

/** @param keys sealed */
export async function insertKeys(
  tx: Tx,
  userId: UserId,
  keys: Readonly<Record<KeyKind, string>>,
): Promise<void> {
  await tx
    .insertInto("user_keys")
    .values({
      user_id: userId,
      rsa_private_key: keys.rsa,
      ed25519_private_key: keys.ed25519,
    })
    .execute();
}

export async function findStoredKey(
  reader: Reader,
  userId: UserId,
  kind: KeyKind,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom("user_keys")
    .select(`${kind}_private_key as stored`)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.stored;
}

export async function deleteKeys(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom("user_keys").where("user_id", "=", userId).execute();
}

export async function findServerKey(
  reader: Reader,
  name: string,
): Promise<{ stored: string; publicPem: string } | undefined> {
  const row = await reader
    .selectFrom("server_keys")
    .select(["private_key", "public_pem"])
    .where("name", "=", name)
    .executeTakeFirst();
  return row && { stored: row.private_key, publicPem: row.public_pem };
}

/** @param sealed the sealed private key */
export async function insertServerKey(
  tx: Tx,
  name: string,
  sealed: string,
  publicPem: string,
): Promise<void> {
  await tx
    .insertInto("server_keys")
    .values({
      name,
      private_key: sealed,
      public_pem: publicPem,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const SEALED = `${SEALED_MARK}%`;

/** Finds any sealed key, to test a secret with. */
export async function findSealedKey(
  reader: Reader,
): Promise<StoredKey | undefined> {
  const server = await reader
    .selectFrom("server_keys")
    .select(["name", "private_key as stored"])
    .where("private_key", "like", SEALED)
    .limit(1)
    .executeTakeFirst();
  if (server) return { owner: { server: server.name }, stored: server.stored };
  const user = await reader
    .selectFrom("user_keys")
    .select(["user_id", "rsa_private_key as stored"])
    .where("rsa_private_key", "like", SEALED)
    .orderBy("user_id")
    .limit(1)
    .executeTakeFirst();
  if (!user) return undefined;
  const owner = { userId: user.user_id, kind: "rsa" } as const;
  return { owner, stored: user.stored };
}

/** Lists the plaintext keys of at most `limit` accounts. */
export async function listClearKeys(
  reader: Reader,
  limit: number,
): Promise<StoredKey[]> {
  const users = await reader
    .selectFrom("user_keys")
    .selectAll()
    .where(isClear("rsa_private_key", "ed25519_private_key"))
    .limit(limit)
    .execute();
  const servers = await reader
    .selectFrom("server_keys")
    .select(["name", "private_key"])
    .where(isClear("private_key"))
    .limit(limit)
    .execute();
  const keys = [
    ...users.flatMap((row): StoredKey[] => {
      const userId = row.user_id;
      return [
        { owner: { userId, kind: "rsa" }, stored: row.rsa_private_key },
        { owner: { userId, kind: "ed25519" }, stored: row.ed25519_private_key },
      ];
    }),
    ...servers.map((row): StoredKey => ({
      owner: { server: row.name },
      stored: row.private_key,
    })),
  ];
  return keys.filter(({ stored }) => !isSealed(stored));
}

function isClear(...columns: string[]) {
  const each = columns.map(
    (column) => sql<SqlBool>`${sql.ref(column)} not like ${SEALED}`,
  );
  return sql<SqlBool>`(${sql.join(each, sql` or `)})`;
}

export async function updateKey(
  tx: Tx,
  owner: KeyOwner,
  sealed: string,
): Promise<void> {
  if ("server" in owner)
    await tx
      .updateTable("server_keys")
      .set({ private_key: sealed })
      .where("name", "=", owner.server)
      .execute();
  else
    await tx
      .updateTable("user_keys")
      .set(
        owner.kind === "rsa"
          ? { rsa_private_key: sealed }
          : { ed25519_private_key: sealed },
      )
      .where("user_id", "=", owner.userId)
      .execute();
}
