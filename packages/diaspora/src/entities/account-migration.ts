import { base64Decode } from "../envelopes/base64.ts";
import type { AccountMigration } from "./person-types.ts";
import {
  isSignatureOf,
  readPrivateKey,
  readPublicKey,
  signText,
} from "../envelopes/keys.ts";
import type { KeyLike } from "../envelopes/keys.ts";

/** The two handles of a migration, and the identity whose key must have made its `signature`. */
export interface MigrationIdentities {
  readonly oldHandle: string;
  readonly newHandle: string;
  /** The identity that is not the author. */
  readonly signer: string;
}

/**
 * Returns the old and the new identity. Either may be the author; the other one must sign.
 * @see diaspora* federation protocol, AccountMigration
 */
export function migrationIdentities(
  migration: AccountMigration,
): MigrationIdentities {
  const newHandle = migration.profile.author;
  if (migration.author !== newHandle) {
    return { oldHandle: migration.author, newHandle, signer: newHandle };
  }
  // Validation guarantees that it is present.
  const oldHandle = migration.oldIdentity ?? "";
  return { oldHandle, newHandle, signer: oldHandle };
}

/** The text signed by the identity that is not the author. */
export function migrationSignatureBase(
  oldHandle: string,
  newHandle: string,
): string {
  return `AccountMigration:${oldHandle}:${newHandle}`;
}

/**
 * Signs a migration.
 * @param key private key of the identity that will NOT be the author
 * @returns the value of `signature`
 * @throws {DiasporaError} stage `signature`, `bad_key`
 */
export async function signMigration(
  oldHandle: string,
  newHandle: string,
  key: KeyLike,
): Promise<string> {
  const signer = readPrivateKey(key, "signature");
  const base = migrationSignatureBase(oldHandle, newHandle);
  return (await signText(base, signer)).toString("base64");
}

/**
 * Whether a migration's `signature` is by the identity that is not its author. Without it anyone could move any account.
 * @param signerKey public key of `migrationIdentities(migration).signer`
 * @throws {DiasporaError} stage `signature`, `bad_key`
 * @see diaspora* federation protocol, AccountMigration
 */
export function verifyMigrationSignature(
  migration: AccountMigration,
  signerKey: KeyLike,
): Promise<boolean> {
  return Promise.try(isSignedByOther, migration, signerKey);
}

function isSignedByOther(
  migration: AccountMigration,
  signerKey: KeyLike,
): boolean {
  const key = readPublicKey(signerKey, "signature");
  const { oldHandle, newHandle } = migrationIdentities(migration);
  const signature = base64Decode(migration.signature);
  if (!signature || oldHandle === "") return false;
  const base = migrationSignatureBase(oldHandle, newHandle);
  return isSignatureOf(base, signature, key);
}
