import type { Db } from "../../db/db.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import { findPerson } from "./people-queries.ts";
import { findEditedAt, updateProfile } from "./person-store.ts";
import type { ProfileChanges } from "./person.ts";

/**
 * Takes over what a remote person says of itself.
 * @param editedAt when it says so, never in the future; what is older than the last is a repetition
 * @returns false where it changed nothing
 */
export async function receiveProfile(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  personId: PersonId,
  changes: ProfileChanges,
  editedAt?: Timestamp,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const last = await findEditedAt(tx, personId);
    if (editedAt !== undefined && last !== null && editedAt < last)
      return false;
    const before = (await findPerson(tx, { id: personId }))?.profile;
    const now = timestamp(clock.now());
    const isNew =
      before !== undefined &&
      Object.entries(changes).some(
        ([name, value]) =>
          value !== undefined && before[name as keyof ProfileChanges] !== value,
      );
    // A later word for the same is remembered: what was said before it stays older.
    if (isNew || editedAt !== last)
      await updateProfile(tx, personId, isNew ? changes : {}, now, editedAt);
    return isNew;
  });
}
