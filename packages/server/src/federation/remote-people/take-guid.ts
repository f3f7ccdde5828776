import type { Tx } from "../../db/db.ts";
import type { PersonId } from "../../features/ids.ts";
import type { People, Person } from "../../features/people/index.ts";
import { newPersonGuid } from "../../lib/guids.ts";

type TakeGuidDeps = { readonly people: Pick<People, "elsewhere" | "find"> };

/**
 * Frees a Guid for the person whose own diaspora* server confirms it: a remote person whose Guid is
 * not confirmed gets a new one. The caller has locked the Guid.
 * @returns false where it belongs to a local person, or is confirmed for another one, too
 */
export async function freeGuid(
  { people }: TakeGuidDeps,
  tx: Tx,
  guid: string,
  owner?: PersonId,
): Promise<boolean> {
  const holder = await people.find({ guid }, tx);
  if (!holder || holder.id === owner) return true;
  if (!isOnlyClaimed(holder)) return false;
  await people.elsewhere.change(tx, holder, { guid: newPersonGuid() });
  return true;
}

/**
 * Is the Guid not confirmed by a diaspora* server? For people stored with a key before this was
 * recorded, it counts as confirmed.
 */
function isOnlyClaimed({
  userId,
  guid,
  hasDiasporaKey,
  diasporaGuid,
}: Person): boolean {
  if (userId !== null) return false;
  return hasDiasporaKey ? diasporaGuid !== null && diasporaGuid !== guid : true;
}

/** Assigns a remote person the Guid of its own server, if it is free. */
export async function takeOwnGuid(
  deps: TakeGuidDeps,
  tx: Tx,
  person: Person,
): Promise<void> {
  const { id, guid, diasporaGuid } = person;
  if (diasporaGuid === null || diasporaGuid === guid) return;
  if (await freeGuid(deps, tx, diasporaGuid, id))
    await deps.people.elsewhere.change(tx, person, { guid: diasporaGuid });
}
