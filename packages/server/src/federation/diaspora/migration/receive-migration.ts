import {
  DiasporaError,
  migrationIdentities,
  verifyMigrationSignature,
  type AccountMigration,
} from "@kith/diaspora";
import type { Person } from "../../../features/people/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import {
  findOrDiscover,
  refused,
  waitForPerson,
  type Arrival,
  type ReceiveContext,
} from "../authority/receive-context.ts";
import { receiveProfileEntity } from "../receive/receive-person.ts";
import { hostOf } from "../render/wire-values.ts";

/**
 * A person continues as another one. The sender is one of the two; the other
 * one has signed, too, with the key that is pinned, or found on its server.
 * @see protocol section 10.15
 */
export async function receiveMigration(
  context: ReceiveContext,
  entity: AccountMigration,
  arrival: Arrival,
): Promise<InboundResult> {
  const { oldHandle, newHandle, signer } = migrationIdentities(entity);
  if (oldHandle === "" || oldHandle === newHandle)
    return refused("it moves nowhere");
  const { sender } = arrival;
  const other = await findOrDiscover(context, signer, hostOf(sender.handle));
  const key = other && context.keys.keyOf(other);
  if (!other || !key) {
    const reason = "The signer of the move cannot be found";
    return waitForPerson(context, signer, reason);
  }
  if (!(await isSigned(entity, key)))
    return refused("the other identity has not signed the move");
  const [from, to] =
    sender.handle === oldHandle ? [sender, other] : [other, sender];
  return applyMigration(context, entity, { from, to }, arrival);
}

async function isSigned(
  entity: AccountMigration,
  key: Parameters<typeof verifyMigrationSignature>[1],
): Promise<boolean> {
  try {
    return await verifyMigrationSignature(entity, key);
  } catch (error) {
    if (error instanceof DiasporaError) return false;
    throw error;
  }
}

async function applyMigration(
  context: ReceiveContext,
  entity: AccountMigration,
  { from, to }: { readonly from: Person; readonly to: Person },
  arrival: Arrival,
): Promise<InboundResult> {
  const photoPath = readPhotoPath(entity.remotePhotoPath);
  const outcome = await context.moves.start({
    from: from.id,
    to: to.id,
    document: {
      text: arrival.envelope ?? "",
      public: arrival.owner === null,
    },
    ...(photoPath === undefined ? {} : { photoPath }),
  });
  if (outcome.kind === "refused") return refused(outcome.reason);
  // The profile of a local person is never replaced. A migration is public, so
  // fields for contacts are not in it, whichever way it came.
  const forEveryone = { ...arrival, sender: to, owner: null };
  if (outcome.kind === "moved" && to.userId === null)
    await receiveProfileEntity(context, entity.profile, forEveryone);
  return done(outcome.kind);
}

/** The new base URL of the photos. An invalid one is ignored. */
function readPhotoPath(path: string | undefined): string | undefined {
  if (path === undefined || !URL.canParse(path)) return undefined;
  const { protocol, href } = new URL(path);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  if (href.length > 1000 || /[?#]/.test(href)) return undefined;
  return href.endsWith("/") ? href : `${href}/`;
}
