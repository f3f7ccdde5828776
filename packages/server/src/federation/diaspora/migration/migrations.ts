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

/** Who goes on as whom. */
export type Identities = { readonly from: Person; readonly to: Person };

/**
 * The signature by which one of the two agrees; the other one sends it along.
 * @param by the one of them who lives here
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
 * Makes the migration that one of the two sends, with the other one's signature.
 * @param author the one who lives here and sends it
 * @returns the signed envelope; undefined where the other one's signature does not fit
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
    // It goes to everyone, so what only contacts may read stays out.
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
