import {
  migrationIdentities,
  verifyMigrationSignature,
  type AccountMigration,
  type Entity,
} from "@kith/diaspora";
import { done, type InboundResult } from "../inbound/inbound.ts";
import {
  findOrDiscover,
  refused,
  wait,
  type Arrival,
  type ReceiveContext,
} from "./receive-context.ts";
import { refuseForeignAuthor } from "./sender-rules.ts";
import { hostOf } from "./wire-values.ts";

/**
 * Checks what is not kept here as if it were: operators are to see what somebody
 * sent in another's name.
 * @returns an outcome that begins with `ignored`, or a refusal
 */
export async function receiveUnkept(
  context: ReceiveContext,
  entity: Entity,
  { sender }: Arrival,
): Promise<InboundResult> {
  if (!("author" in entity)) return refused("no message of its own");
  const refusal = refuseForeignAuthor(entity, sender.handle);
  if (refusal !== undefined) return refused(refusal);
  return entity.type === "account_migration"
    ? checkMigration(context, entity, hostOf(sender.handle))
    : done(`ignored: ${entity.type}`);
}

/** Both identities have to agree: one sends, the other one signs (protocol section 10.15). */
async function checkMigration(
  context: ReceiveContext,
  entity: AccountMigration,
  source: string,
): Promise<InboundResult> {
  const { signer } = migrationIdentities(entity);
  const other = await findOrDiscover(context, signer, source);
  if (!other) return wait("The other identity cannot be found");
  const key = context.keys.keyOf(other);
  if (!key || !(await verifyMigrationSignature(entity, key)))
    return refused("signature");
  return done(`ignored: ${entity.type}`);
}
