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

/** Stores remote people as discovery finds them. */
export function createElsewhere(
  deps: ModerationStateDeps & { readonly clock: Clock },
) {
  const now = () => timestamp(deps.clock.now());
  return {
    /** @returns undefined if the Guid or the handle is already taken */
    create: (tx: Tx, person: NewPerson): Promise<PersonId | undefined> =>
      insertPerson(tx, { ...person, userId: null }, now()),
    /** Deletes a person created in this transaction. */
    takeBack: (tx: Tx, personId: PersonId) => deleteNewPerson(tx, personId),
    /** The caller has made sure that the Guid and the handle are free. */
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
    /** Takes over what its server now says of it, and the moderation decision on that server. */
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
