import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import { findPerson } from "./people-queries.ts";
import { updateProfile } from "./person-store.ts";
import type { ProfileChanges } from "./person.ts";

export type StoreProfileDeps = {
  readonly indexing: Pick<Indexing, "renewPerson" | "renewPostsOf">;
};

/** Stores changes of a profile, and has the index follow what searches depend on. */
export async function storeProfile(
  { indexing }: StoreProfileDeps,
  tx: Tx,
  personId: PersonId,
  changes: ProfileChanges,
  now: Timestamp,
  editedAt?: Timestamp,
): Promise<void> {
  const before = (await findPerson(tx, { id: personId }))?.profile;
  await updateProfile(tx, personId, changes, now, editedAt);
  const { fullName = before?.fullName, indexable = before?.indexable } =
    changes;
  if (fullName !== before?.fullName) await indexing.renewPerson(tx, personId);
  if (indexable !== before?.indexable)
    await indexing.renewPostsOf(tx, personId);
}
