import type { Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import {
  renewModerationState,
  type ModerationStateDeps,
} from "./moderation-state.ts";
import { renamePerson } from "./person-guid-store.ts";
import {
  deleteNewPerson,
  insertPerson,
  updateHandle,
  updateProfile,
  updatePublicKey,
  updateTime,
} from "./person-store.ts";
import type {
  Person,
  ProfileChanges,
  RemoteModerationState,
} from "./person.ts";

type NewPerson = Pick<Person, "guid" | "handle" | "publicKeyPem">;

/** Stores people of other servers as their discovery finds them. */
export function createElsewhere(
  deps: ModerationStateDeps & { readonly clock: Clock },
) {
  const now = () => timestamp(deps.clock.now());
  return {
    /** @returns undefined where Guid or handle belong to somebody already */
    create: (tx: Tx, person: NewPerson): Promise<PersonId | undefined> =>
      insertPerson(tx, { ...person, userId: null }, now()),
    /** Somebody who was created in this transaction is not to be. */
    takeBack: (tx: Tx, personId: PersonId) => deleteNewPerson(tx, personId),
    /** The caller has made sure that Guid and handle are free. */
    change: async (
      tx: Tx,
      person: Pick<Person, "id" | "guid">,
      { guid, handle, publicKeyPem }: Partial<NewPerson>,
    ): Promise<void> => {
      if (guid !== undefined) await renamePerson(tx, person, guid);
      if (handle !== undefined) await updateHandle(tx, person.id, handle);
      if (publicKeyPem !== undefined)
        await updatePublicKey(tx, person.id, publicKeyPem);
    },
    /** What its server says of it now, and what is decided here of that server. */
    renew: async (
      tx: Tx,
      person: Pick<RemoteModerationState, "id" | "handle" | "addresses">,
      profile: ProfileChanges,
    ): Promise<void> => {
      await renewModerationState(deps, tx, { ...person, userId: null });
      await updateTime(tx, person.id, now());
      await updateProfile(tx, person.id, profile, now());
    },
  };
}
