import type { Db, Reader, Tx } from "../../db/db.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import { keepValues, type WriteWatch } from "../freshness/index.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import { changeProfile, changeProfileIn } from "./change-profile.ts";
import {
  deleteDecision,
  findDecision,
  listSuspendedUsers,
  type PersonDecision,
} from "./decision-store.ts";
import { decideOf } from "./decide-of.ts";
import { receiveProfile } from "./receive-profile.ts";
import {
  countLocalPeople,
  findPerson,
  findPersonState,
  listPeopleByUri,
  listPeopleByHandle,
  listPeopleById,
  listRecipientsById,
  listRemoteModerationStates,
  type PersonKey,
  findFirstHandle,
} from "./people-queries.ts";
import {
  forgetMovesTo,
  insertPerson,
  updateAlsoKnownAs,
  noteStreamRead,
  updatePersonClosed,
  updateMovedTo,
  updateProfile,
} from "./person-store.ts";
import type {
  Person,
  ProfileChanges,
  RemoteModerationState,
} from "./person.ts";
import {
  renewModerationState,
  type ModerationStateOn,
} from "./moderation-state.ts";
import { findFirstPersonTime, listIndexedPeople } from "./sitemap-people.ts";
import { createElsewhere } from "./elsewhere.ts";
import { storeProfile } from "./store-profile.ts";

export { NO_ADDRESSES } from "../../db/schema/remote-person.ts";
export { isBirthday, PROFILE_LIMITS } from "./change-profile.ts";
export {
  MAX_FIELDS,
  MAX_FIELD_NAME_LENGTH,
  MAX_FIELD_VALUE_LENGTH,
  readFields,
  type ProfileField,
} from "./profile-fields.ts";
export type { PersonDecision } from "./decision-store.ts";
export type {
  DetailAudiences,
  Nearness,
  PersonKind,
  Person,
  Profile,
  ProfileChanges,
  Recipient,
  RemoteModerationState,
  ModerationState,
} from "./person.ts";
export {
  detailsFor,
  fieldsFor,
  displayName,
  givenName,
  hostsOf,
  unite,
  usernameOf,
} from "./person.ts";

export type PeopleDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly standingOn: ModerationStateOn;
  readonly indexing: Pick<Indexing, "renewPerson" | "renewPostsOf">;
  readonly writeWatch: WriteWatch;
};

/** So many people stay in memory, with their profiles. */
const MAX_SHOWN = 1_000;

/** Local and remote people, and their profiles. */
export type People = ReturnType<typeof createPeople>;

export function createPeople(deps: PeopleDeps) {
  const { db, clock } = deps;
  // A new person is not named by what is written, nor is a missing one kept.
  const shown = keepValues<PersonId, Person>(
    deps.writeWatch,
    () => [],
    MAX_SHOWN,
  );
  return {
    find: (key: PersonKey, reader: Reader = db.read) => findPerson(reader, key),
    /** The host that the handles of people here have, if that is another one. */
    findFormerHost: async (host: string): Promise<string | undefined> => {
      const handle = await findFirstHandle(db.read);
      const former = handle?.slice(handle.indexOf("@") + 1);
      return former === host ? undefined : former;
    },
    /** Reads only the person's current state. */
    findState: (id: PersonId) => findPersonState(db.read, id),
    listById: (ids: Iterable<PersonId>, reader: Reader = db.read) =>
      listPeopleById(reader, ids),
    /** Those of them who are on other servers. */
    listRecipients: (ids: Iterable<PersonId>) =>
      listRecipientsById(db.read, ids),
    /** Lists people to show them, from memory where nothing was written about people since. */
    listShown: (ids: Iterable<PersonId>) => {
      const wanted = [...new Set(ids)];
      return shown.read("", wanted, (missing) =>
        listPeopleById(db.read, missing),
      );
    },
    listByHandle: (handles: Iterable<string>) =>
      listPeopleByHandle(db.read, handles),
    listByUri: (uris: Iterable<string>) => listPeopleByUri(db.read, uris),
    countLocal: () => countLocalPeople(db.read),
    /** Lists the people here whom search engines may find. */
    listIndexed: (limit: number) => listIndexedPeople(db.read, limit),
    findFirstTime: () => findFirstPersonTime(db.read),
    /** Creates the person of a new account, inside the transaction that creates the account. */
    createLocal: async (
      tx: Tx,
      person: {
        guid: string;
        handle: string;
        userId: UserId;
        publicKeyPem: string;
      },
    ): Promise<PersonId | undefined> => {
      const id = await insertPerson(tx, person, {}, timestamp(clock.now()));
      if (id !== undefined) await deps.indexing.renewPerson(tx, id);
      return id;
    },
    /** The first profile of a person of a server that moves here: nobody is notified. */
    takeOverProfile: (tx: Tx, personId: PersonId, profile: ProfileChanges) =>
      storeProfile(deps, tx, personId, profile, timestamp(clock.now())),
    /** Stores what discovery finds out about remote people, in the caller's transaction. */
    elsewhere: createElsewhere(deps),
    /**
     * Takes over a remote person's profile.
     * @param editedAt when the person edited it; anything older than the last edit is a
     *   repetition
     * @returns false if it changed nothing
     */
    receiveProfile: (
      personId: PersonId,
      changes: ProfileChanges,
      editedAt?: Timestamp,
    ) => receiveProfile(deps, personId, changes, editedAt),
    changeProfile: (personId: PersonId, changes: ProfileChanges) =>
      changeProfile(deps, personId, changes),
    /** Does the same inside a transaction that changes more. */
    changeProfileIn: (tx: Tx, personId: PersonId, changes: ProfileChanges) =>
      changeProfileIn(deps, tx, personId, changes),
    /**
     * Records that the person's last posts are requested, which is done once.
     * @returns false if they were requested before
     */
    noteStreamRead: (tx: Tx, personId: PersonId) =>
      noteStreamRead(tx, personId, timestamp(clock.now())),
    /** Lists remote people after an id, by id, with their current moderation state. */
    listRemoteStandings: (afterId: number, limit: number) =>
      listRemoteModerationStates(db.read, afterId, limit),
    /**
     * Saves the moderation decision on a remote person's server; the decision on the
     * person still applies.
     */
    renewStanding: (tx: Tx, person: RemoteModerationState) =>
      renewModerationState(deps, tx, { ...person, userId: null }),
    findDecision: (personId: PersonId, reader: Reader = db.read) =>
      findDecision(reader, personId),
    /**
     * Changes the moderation decision on one person. Concurrent decisions on the same
     * person wait for each other.
     * @param change computes the new decision from the current one
     * @returns the decision before and after
     */
    decide: (
      tx: Tx,
      person: Person,
      change: (before: PersonDecision) => PersonDecision,
    ) => decideOf(deps, tx, person, change),
    /** Lists the local users who are suspended and may not write to anyone. */
    listSuspendedUsers: () => listSuspendedUsers(db.read),
    /** Closes a local or remote person for good. */
    close: async (tx: Tx, personId: PersonId) => {
      await deleteDecision(tx, personId);
      await updatePersonClosed(tx, personId, timestamp(clock.now()));
      await deps.indexing.renewPerson(tx, personId);
    },
    /** Records the account to which a person has moved; null undoes it. */
    markMoved: (tx: Tx, personId: PersonId, to: PersonId | null) =>
      updateMovedTo(tx, personId, to, timestamp(clock.now())),
    /** Removes all references to a deleted account as the target of a move. */
    forgetMovesTo: (tx: Tx, to: PersonId) => forgetMovesTo(tx, to),
    /**
     * Sets the URIs of the accounts that may move to a local person, and notifies its
     * followers.
     */
    setAliases: (personId: PersonId, uris: readonly string[], outer?: Tx) =>
      inTransaction(db, outer, async (tx) => {
        const now = timestamp(clock.now());
        await updateAlsoKnownAs(tx, personId, uris, now);
        // The profile's time distinguishes one Update from the next.
        await updateProfile(tx, personId, {}, now);
        await deps.facts.record(tx, { type: "profile.changed", by: personId });
      }),
  };
}
