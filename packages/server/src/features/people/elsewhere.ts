import type { Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import {
  renewModerationState,
  type ModerationStateDeps,
} from "./moderation-state.ts";
import { storeProfile, type StoreProfileDeps } from "./store-profile.ts";
import { renamePerson } from "./person-guid-store.ts";
import {
  deletePeople,
  insertPerson,
  updateHandle,
  updatePublicKey,
  updateTime,
} from "./person-store.ts";
import {
  hostsOf,
  type Person,
  type ProfileChanges,
  type RemoteModerationState,
} from "./person.ts";

type NewPerson = Pick<Person, "guid" | "handle" | "publicKeyPem">;

/** Stores remote people as discovery finds them. */
export function createElsewhere(
  deps: ModerationStateDeps & StoreProfileDeps & { readonly clock: Clock },
) {
  const now = () => timestamp(deps.clock.now());
  return {
    /**
     * Creates a person with its profile, and with the moderation decision on its server.
     * @returns undefined if the Guid or the handle is already taken
     */
    create: async (
      tx: Tx,
      person: NewPerson & Pick<RemoteModerationState, "addresses">,
      profile: ProfileChanges,
    ): Promise<PersonId | undefined> => {
      const ofHost = await deps.standingOn(hostsOf(person), tx);
      const stored = { ...person, userId: null, ofHost };
      const id = await insertPerson(tx, stored, profile, now());
      if (id !== undefined) await deps.indexing.renewPerson(tx, id);
      return id;
    },
    /** Deletes a person created in this transaction. */
    takeBack: (tx: Tx, personId: PersonId) => deletePeople(tx, [personId]),
    /** Deletes people to whom nothing refers any more: they can be discovered again. */
    forget: (tx: Tx, ids: readonly PersonId[]) => deletePeople(tx, ids),
    /** The caller has made sure that the Guid and the handle are free. */
    change: async (
      tx: Tx,
      person: Pick<Person, "id" | "guid">,
      { guid, handle, publicKeyPem }: Partial<NewPerson>,
    ): Promise<void> => {
      if (guid !== undefined) await renamePerson(tx, person, guid);
      if (handle !== undefined) {
        await updateHandle(tx, person.id, handle);
        await deps.indexing.renewPerson(tx, person.id);
      }
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
      await storeProfile(deps, tx, person.id, profile, now());
    },
  };
}
