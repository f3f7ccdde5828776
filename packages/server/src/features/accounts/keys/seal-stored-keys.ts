import type { Db, Reader } from "../../../db/db.ts";
import { lockKey } from "../../../db/dialect.ts";
import { emptyLog, rewriteTable } from "../../../db/erase.ts";
import type { KeySeal } from "./key-seal.ts";
import { findSealedKey, listClearKeys, updateKey } from "./key-store.ts";

type SealDeps = { readonly db: Db; readonly keySeal: KeySeal };

/** Accounts whose keys are sealed in one transaction. */
const AT_ONCE = 100;

/** Does the database contain keys that only the right secret opens? */
export async function hasSealedKeys(reader: Reader): Promise<boolean> {
  return (await findSealedKey(reader)) !== undefined;
}

/** Does the database contain keys in plaintext, as older versions stored them? */
export async function hasClearKeys(reader: Reader): Promise<boolean> {
  return (await listClearKeys(reader, 1)).length > 0;
}

/**
 * Tests the secret on a sealed key.
 * @throws {KeyNotOpened} if it does not fit
 */
export async function tryKeySeal(
  reader: Reader,
  keySeal: KeySeal,
): Promise<void> {
  const sealed = await findSealedKey(reader);
  if (sealed) keySeal.open(sealed.stored, sealed.owner);
}

/**
 * Seals the private keys that are stored in plaintext. Safe to interrupt; concurrent
 * processes wait for each other.
 * @returns the number of keys
 * @throws {KeyNotOpened} if other keys are sealed with another secret: nothing is changed
 *   then
 */
export async function sealStoredKeys(deps: SealDeps): Promise<number> {
  const { db, keySeal } = deps;
  await tryKeySeal(db.read, keySeal);
  if (!(await hasClearKeys(db.read))) return 0;
  let count = 0;
  for (let isDone = false; !isDone;) {
    const some = await sealSome(deps);
    count += some.count;
    isDone = some.isDone;
  }
  await emptyLog(db);
  return count;
}

/** After the last ones, the plaintext is erased. */
function sealSome({
  db,
  keySeal,
}: SealDeps): Promise<{ count: number; isDone: boolean }> {
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, "kith:seal-keys");
    await tryKeySeal(tx, keySeal);
    const keys = await listClearKeys(tx, AT_ONCE);
    for (const { owner, stored } of keys)
      await updateKey(tx, owner, keySeal.seal(stored, owner));
    const isDone = !(await hasClearKeys(tx));
    if (isDone && keys.length > 0)
      for (const table of ["user_keys", "server_keys"])
        await rewriteTable(tx, db.dialect, table);
    return { count: keys.length, isDone };
  });
}
