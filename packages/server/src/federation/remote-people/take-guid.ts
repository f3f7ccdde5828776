import type { Tx } from "../../db/db.ts";
import type { PersonId } from "../../features/ids.ts";
import type { People, Person } from "../../features/people/index.ts";
import { newPersonGuid } from "../../lib/guids.ts";

type TakeGuidDeps = { readonly people: Pick<People, "elsewhere" | "find"> };

/**
 * Makes a Guid free for whom its own diaspora* server knows by it: somebody elsewhere
 * whose Guid nobody confirmed gets one of ours. The caller has locked the Guid.
 * @returns false where it is that of somebody here, or confirmed of another one, too
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

/** Is the Guid one that no diaspora* server told of the person? Of those stored with a key before that was written down, it is believed. */
function isOnlyClaimed({
  userId,
  guid,
  hasDiasporaKey,
  diasporaGuid,
}: Person): boolean {
  if (userId !== null) return false;
  return hasDiasporaKey ? diasporaGuid !== null && diasporaGuid !== guid : true;
}

/** Gives somebody elsewhere the Guid that its own server told, where it can have it. */
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
