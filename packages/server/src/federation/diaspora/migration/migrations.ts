import { createPrivateKey, type KeyObject } from "node:crypto";
import {
  buildEntity,
  buildEnvelope,
  signMigration,
  verifyMigrationSignature,
  type AccountMigration,
} from "@kith/diaspora";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Person } from "../../../features/people/index.ts";
import { renderProfile } from "../render/render-person.ts";

type MigrationDeps = {
  readonly accounts: Accounts;
  readonly baseUrl: string;
};

/** The old and the new identity. */
export type Identities = { readonly from: Person; readonly to: Person };

/**
 * The signature with which one identity agrees; the other one sends it.
 * @param by the local one of them
 * @returns base64
 * @see protocol section 10.15
 */
export async function signMove(
  { accounts }: Pick<MigrationDeps, "accounts">,
  { from, to }: Identities,
  by: Person,
): Promise<string> {
  if (by.userId === null) throw new Error("Nobody signs for people elsewhere");
  const key = await accounts.getPrivateKey(by.userId);
  return signMigration(from.handle, to.handle, key);
}

/**
 * Reads the private key of an account elsewhere, which comes from a file of anybody's.
 * @returns signs for it, or undefined where the key cannot sign; undefined for what is no key
 */
export function readMoveKey(
  privateKeyPem: string,
): ((identities: Identities) => Promise<string | undefined>) | undefined {
  if (privateKeyPem.length > MAX_PEM_LENGTH) return undefined;
  const key = readKey(privateKeyPem);
  return (
    key &&
    (({ from, to }) =>
      // The parts of a forged key do not fit each other.
      signMigration(from.handle, to.handle, key).catch(() => undefined))
  );
}

/** One of 8192 bits has 6.5 kB. */
const MAX_PEM_LENGTH = 16_384;

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/**
 * Builds the migration that one identity sends, with the other one's signature.
 * @param author the local one, who sends it
 * @returns the signed envelope; undefined if the other one's signature is
 *   invalid
 */
export async function sealMigration(
  { accounts, baseUrl }: MigrationDeps,
  { from, to }: Identities,
  author: Person,
  signature: string,
): Promise<string | undefined> {
  const other = author.id === from.id ? to : from;
  if (author.userId === null || !other.hasDiasporaKey) return undefined;
  const entity: AccountMigration = {
    type: "account_migration",
    author: author.handle,
    // It is public, so fields for contacts stay out.
    profile: renderProfile(to, baseUrl, "stranger"),
    signature,
    ...(author.id === to.id ? { oldIdentity: from.handle } : {}),
  };
  if (!(await verifyMigrationSignature(entity, other.publicKeyPem)))
    return undefined;
  return buildEnvelope({
    payloadXml: buildEntity(entity),
    sender: author.handle,
    privateKey: await accounts.getPrivateKey(author.userId),
  });
}
