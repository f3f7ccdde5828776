import type { Db } from "../../db/db.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import { findPerson } from "./people-queries.ts";
import { findEditedAt } from "./person-store.ts";
import type { ProfileChanges } from "./person.ts";
import { storeProfile, type StoreProfileDeps } from "./store-profile.ts";

/**
 * Takes over a remote person's profile.
 * @param editedAt when the person edited it, never in the future; anything older than the
 *   last edit is a repetition
 * @returns false if it changed nothing
 */
export async function receiveProfile(
  {
    db,
    clock,
    indexing,
  }: StoreProfileDeps & { readonly db: Db; readonly clock: Clock },
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
    // Store a later time even if nothing changed: anything older than it stays superseded.
    if (isNew || editedAt !== last)
      await storeProfile(
        { indexing },
        tx,
        personId,
        isNew ? changes : {},
        now,
        editedAt,
      );
    return isNew;
  });
}
