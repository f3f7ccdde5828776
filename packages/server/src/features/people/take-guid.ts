import type { Tx } from "../../db/db.ts";
import { newPersonGuid } from "../../lib/guids.ts";
import type { PersonId } from "../ids.ts";
import { findPerson } from "./people-queries.ts";
import { renamePerson } from "./person-guid-store.ts";
import type { Person } from "./person.ts";

/**
 * Makes a Guid free for whom its own diaspora* server knows by it: somebody elsewhere
 * whose Guid nobody confirmed gets one of ours. The caller has locked the Guid.
 * @returns false where it is that of somebody here, or confirmed of another one, too
 */
export async function freeGuid(
  tx: Tx,
  guid: string,
  owner?: PersonId,
): Promise<boolean> {
  const holder = await findPerson(tx, { guid });
  if (!holder || holder.id === owner) return true;
  if (!isOnlyClaimed(holder)) return false;
  await renamePerson(tx, holder, newPersonGuid());
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
export async function takeOwnGuid(tx: Tx, person: Person): Promise<void> {
  const { id, guid, diasporaGuid } = person;
  if (diasporaGuid === null || diasporaGuid === guid) return;
  if (await freeGuid(tx, diasporaGuid, id))
    await renamePerson(tx, person, diasporaGuid);
}
