import type { Reader, Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Nearness, Person } from "../people/index.ts";
import { listBirthdays } from "./birthdays.ts";
import { changeFollowChoices, changeWithin } from "./change-choices.ts";
import {
  countDirection,
  countDirectionsOfEach,
  findUserRelatedTo,
  isFollowedByAnybody,
  hasFollowersHere,
  isRelatedToAnybody,
  listContactIds,
  listFollowerIds,
  listDirection,
  listConfirmedFollowers,
  listLocalFollowerIds,
  listUsersRelatedTo,
  type ContactList,
  type Direction,
} from "./contact-queries.ts";
import {
  deleteSomeContactsOf,
  findContact,
  findContactByRequest,
  findUsersSharedWithBy,
  listContactsAmong,
  listNotifiedOf,
  saveConfirmed,
  saveSharing,
} from "./contact-store.ts";
import {
  deleteRequest,
  deleteRequestsOf,
  findUsersAskedBy,
} from "./follow-request-store.ts";
import {
  createFollowRequests,
  type FollowRequestsDeps,
} from "./follow-requests.ts";
import { isReadIn, type FollowChoices } from "./follow-choices.ts";
import { lockContactsOf } from "./lock-contacts.ts";
import { receiveSharing } from "./receive-sharing.ts";
import { matchFollowers, type ListedFollowers } from "./match-followers.ts";
import { removeFollower } from "./remove-follower.ts";
import { setFollowing, type Follower } from "./set-following.ts";

import {
  takeOverContact,
  type ContactToTakeOver,
} from "./take-over-contact.ts";

export { birthdayIn, type Birthday } from "./birthdays.ts";
export type { ContactList, Direction } from "./contact-queries.ts";
export type { Contact } from "./contact-store.ts";
export { readFollowLanguages } from "./follow-choices.ts";
export type { FollowChoices } from "./follow-choices.ts";
export type { FollowRequest } from "./follow-requests.ts";
export type { Follower } from "./set-following.ts";

export type ContactsDeps = FollowRequestsDeps;

/** The contacts of users, and the people who share with them. */
export type Contacts = ReturnType<typeof createContacts>;

export function createContacts(deps: ContactsDeps) {
  const { db, clock, facts } = deps;
  return {
    /** Of users who approve each follower. */
    requests: createFollowRequests(deps),
    /** Blocks changes of these users' contacts until the transaction ends. */
    lock: (tx: Tx, userIds: readonly UserId[]) =>
      lockContactsOf(db, tx, userIds),
    find: (userId: UserId, personId: PersonId, reader: Reader = db.read) =>
      findContact(reader, userId, personId),
    /** How close the viewer is to a person, who shares with its contacts. */
    nearnessOf: async (
      viewer: Pick<Follower, "userId" | "personId"> | null,
      person: PersonId,
    ): Promise<Nearness> => {
      if (viewer === null) return "stranger";
      if (viewer.personId === person) return "self";
      const contact = await findContact(db.read, viewer.userId, person);
      return contact?.sharing === true ? "contact" : "stranger";
    },
    /** The birthdays of the user's contacts that show these to the user. */
    listBirthdays: (by: Follower) => listBirthdays(db.read, by),
    removeFollower: (by: Follower, id: PersonId) =>
      removeFollower(deps, by, id),
    /** Finds a local user's contact by the Guid of the follow request that began it. */
    findByRequest: (requestGuid: string) =>
      findContactByRequest(db.read, requestGuid),
    setFollowing: (tx: Tx, by: Follower, person: Person, following: boolean) =>
      setFollowing(deps, tx, by, person, following),
    /** One direction of a contact of a server that moves here: nobody is notified. */
    takeOver: (contact: ContactToTakeOver) => takeOverContact(deps, contact),
    /** @throws {KithError} `not_found` if the user does not follow the person */
    changeChoices: (
      userId: UserId,
      personId: PersonId,
      changes: Partial<FollowChoices>,
    ) => changeFollowChoices(deps, userId, personId, changes),
    /** The same, within a transaction that holds the lock. */
    changeChoicesWithin: (
      tx: Tx,
      userId: UserId,
      personId: PersonId,
      changes: Partial<FollowChoices>,
    ) => changeWithin(deps, tx, userId, personId, changes),
    /**
     * Lists the contacts of users who want to be notified of each post of the person.
     * @param language that of the post; null if it does not say it
     */
    listNotifiedOf: async (personId: PersonId, language: string | null) =>
      (await listNotifiedOf(db.read, personId)).filter(({ choices }) =>
        isReadIn(choices, language),
      ),
    /**
     * Records that a remote person starts or stops sharing with a local user, or asks to.
     * @param uri the id of the message that starts it, which the message that stops it
     *   refers to
     */
    receiveSharing: (
      userId: UserId,
      personId: PersonId,
      sharing: boolean,
      uri: string | null = null,
    ) => receiveSharing(deps, { userId, personId, sharing, uri }),
    /** Finds the users with whom a person shares, or asks to, by the message with this id. */
    findUsersSharedWithBy: async (
      personId: PersonId,
      uri: string,
      limit: number,
    ) => [
      ...(await findUsersSharedWithBy(db.read, personId, uri, limit)),
      ...(await findUsersAskedBy(db.read, personId, uri, limit)),
    ],
    /** Moves sharing with the user to this person, from the account it moved from. */
    takeOverSharing: async (tx: Tx, userId: UserId, personId: PersonId) => {
      await deleteRequest(tx, userId, personId);
      await saveSharing(tx, userId, personId, true, timestamp(clock.now()));
    },
    /** Ends the person's sharing with the user, or its request, whatever the person says. */
    endSharing: async (tx: Tx, userId: UserId, personId: PersonId) => {
      await deleteRequest(tx, userId, personId);
      const known = await findContact(tx, userId, personId);
      if (!known?.sharing) return;
      await saveSharing(tx, userId, personId, false, timestamp(clock.now()));
    },
    /**
     * Deletes some contacts, and all follow requests, of a person who has left.
     * @returns true if more remain
     */
    removeSomeOf: (
      leaver: { personId: PersonId; userId: UserId | null },
      limit: number,
    ) =>
      db.transaction(async (tx) => {
        const { personId: id, userId } = leaver;
        await deleteRequestsOf(tx, { id, userId });
        return (await deleteSomeContactsOf(tx, leaver, limit)) > 0;
      }),
    /** Records the person's answer to a user's follow request. */
    receiveAnswer: (userId: UserId, personId: PersonId, isConfirmed: boolean) =>
      db.transaction(async (tx) => {
        await lockContactsOf(db, tx, [userId]);
        const known = await findContact(tx, userId, personId);
        // The user has changed their mind meanwhile.
        if (!known?.following) return;
        const now = timestamp(clock.now());
        await saveConfirmed(tx, userId, personId, isConfirmed, now);
        const { requestGuid } = known;
        if (isConfirmed || requestGuid === null) return;
        await facts.record(tx, {
          type: "follow.refused",
          userId,
          requestGuid,
          by: personId,
        });
      }),
    listIds: (userId: UserId) => listContactIds(db.read, userId),
    /** Lists everyone who shares with the user. */
    listFollowerIds: (userId: UserId, reader: Reader = db.read) =>
      listFollowerIds(reader, userId),
    list: async (userId: UserId, direction: Direction, page: Page) =>
      (await listDirection(db.read, userId, direction, page)).map(
        ({ personId }) => personId,
      ),
    /** The same with the keys by which the pages go on. */
    listWithKeys: (userId: UserId, list: ContactList | Direction, page: Page) =>
      listDirection(db.read, userId, list, page),
    /** The contacts of the user among these people. */
    listAmong: (userId: UserId, personIds: readonly PersonId[]) =>
      listContactsAmong(db.read, userId, personIds),
    /** Counts the contacts of each of these users; those without any are missing. */
    countOfEach: (userIds: readonly UserId[]) =>
      countDirectionsOfEach(db.read, userIds),
    /** Lists the local users whose follow the person has confirmed. */
    listConfirmedFollowers: (personId: PersonId) =>
      listConfirmedFollowers(db.read, personId),
    /**
     * Takes over the list of local followers that a remote person's server keeps.
     * @returns how many follows did not match the list
     */
    matchFollowers: (listed: ListedFollowers) => matchFollowers(deps, listed),
    count: (userId: UserId, direction: Direction) =>
      countDirection(db.read, userId, direction),
    /** Finds a local user who follows the person or, with `either`, whom the person follows. */
    findUserRelatedTo: (
      personId: PersonId,
      options: { readonly either: boolean },
    ) => findUserRelatedTo(db.read, personId, options),
    /** Does any local user share with this person, or the person with any of them? */
    isRelatedToAnybody: (personId: PersonId, reader: Reader = db.read) =>
      isRelatedToAnybody(reader, personId),
    /**
     * Does any local user follow this person, or have a pending follow request? The
     * person's own follows of local users are its own choice and do not count.
     */
    hasFollowersHere: (personId: PersonId, reader: Reader = db.read) =>
      hasFollowersHere(reader, personId),
    /** Does any local user follow this person with the person's consent? */
    isFollowedByAnybody: (personId: PersonId) =>
      isFollowedByAnybody(db.read, personId),
    /** Lists the local people who receive this person's posts to followers. */
    listLocalFollowerIds: (personId: PersonId) =>
      listLocalFollowerIds(db.read, personId),
    /** Lists the local users for whom this person's posts matter. */
    listUsersRelatedTo: (personId: PersonId) =>
      listUsersRelatedTo(db.read, personId),
  };
}
