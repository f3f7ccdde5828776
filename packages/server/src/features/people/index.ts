import type { Db, Reader, Tx } from "../../db/db.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, UserId } from "../ids.ts";
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
  listRemoteModerationStates,
  type PersonKey,
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
import { createElsewhere } from "./elsewhere.ts";

export { NO_ADDRESSES } from "../../db/schema/remote-person.ts";
export { MAX_FIELDS, readFields, type ProfileField } from "./profile-fields.ts";
export type { PersonDecision } from "./decision-store.ts";
export type {
  DetailAudiences,
  Nearness,
  Person,
  Profile,
  ProfileChanges,
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
};

/** People, here and elsewhere, and their profiles. */
export type People = ReturnType<typeof createPeople>;

export function createPeople(deps: PeopleDeps) {
  const { db, clock } = deps;
  return {
    find: (key: PersonKey, reader: Reader = db.read) => findPerson(reader, key),
    /** How somebody stands now, where that alone is asked. */
    findState: (id: PersonId) => findPersonState(db.read, id),
    listById: (ids: Iterable<PersonId>, reader: Reader = db.read) =>
      listPeopleById(reader, ids),
    listByHandle: (handles: Iterable<string>) =>
      listPeopleByHandle(db.read, handles),
    listByUri: (uris: Iterable<string>) => listPeopleByUri(db.read, uris),
    countLocal: () => countLocalPeople(db.read),
    /** The person of a new account, inside the transaction that makes the account. */
    createLocal: (
      tx: Tx,
      person: {
        guid: string;
        handle: string;
        userId: UserId;
        publicKeyPem: string;
      },
    ): Promise<PersonId | undefined> =>
      insertPerson(tx, person, timestamp(clock.now())),
    /** What is found out of people elsewhere, in the transaction that stores it. */
    elsewhere: createElsewhere(deps),
    /**
     * Takes over what a remote person says of itself.
     * @param editedAt when it says so; what is older than the last is a repetition
     * @returns false where it changed nothing
     */
    receiveProfile: (
      personId: PersonId,
      changes: ProfileChanges,
      editedAt?: Timestamp,
    ) => receiveProfile(deps, personId, changes, editedAt),
    changeProfile: (personId: PersonId, changes: ProfileChanges) =>
      changeProfile(deps, personId, changes),
    /** The same, inside of a transaction that changes more. */
    changeProfileIn: (tx: Tx, personId: PersonId, changes: ProfileChanges) =>
      changeProfileIn(deps, tx, personId, changes),
    /** @returns false where the person's last posts were asked for before: it is done once */
    noteStreamRead: (tx: Tx, personId: PersonId) =>
      noteStreamRead(tx, personId, timestamp(clock.now())),
    /** People of other servers after an id, by id, with what holds of them now. */
    listRemoteStandings: (afterId: number, limit: number) =>
      listRemoteModerationStates(db.read, afterId, limit),
    /** Writes down what was decided of the server of somebody elsewhere; what was decided of the person holds all the same. */
    renewStanding: (tx: Tx, person: RemoteModerationState) =>
      renewModerationState(deps, tx, { ...person, userId: null }),
    findDecision: (personId: PersonId, reader: Reader = db.read) =>
      findDecision(reader, personId),
    /**
     * Decides something of one person. Decisions of the same one wait for each other.
     * @param change of what holds now
     * @returns what held before, and what holds from now on
     */
    decide: (
      tx: Tx,
      person: Person,
      change: (before: PersonDecision) => PersonDecision,
    ) => decideOf(deps, tx, person, change),
    /** Who here may say nothing to anybody. */
    listSuspendedUsers: () => listSuspendedUsers(db.read),
    /** Somebody is gone for good, from here or elsewhere. */
    close: async (tx: Tx, personId: PersonId) => {
      await deleteDecision(tx, personId);
      await updatePersonClosed(tx, personId, timestamp(clock.now()));
    },
    /** Says as whom a person goes on; null takes it back. */
    markMoved: (tx: Tx, personId: PersonId, to: PersonId | null) =>
      updateMovedTo(tx, personId, to, timestamp(clock.now())),
    /** Nobody goes on any more as somebody who is gone. */
    forgetMovesTo: (tx: Tx, to: PersonId) => forgetMovesTo(tx, to),
    /** Which others may move to a person here, by their URIs. The followers are told. */
    setAliases: (personId: PersonId, uris: readonly string[], outer?: Tx) =>
      inTransaction(db, outer, async (tx) => {
        const now = timestamp(clock.now());
        await updateAlsoKnownAs(tx, personId, uris, now);
        // The time of the profile tells one Update from the next.
        await updateProfile(tx, personId, {}, now);
        await deps.facts.record(tx, { type: "profile.changed", by: personId });
      }),
  };
}
