import type { Db, Reader, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { hasUserBlocked } from "../visibility/index.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Nearness, Person } from "../people/index.ts";
import {
  countDirection,
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
  type Direction,
} from "./contact-queries.ts";
import {
  deleteSomeContactsOf,
  findContact,
  findContactByRequest,
  findUsersSharedWithBy,
  saveConfirmed,
  saveSharing,
} from "./contact-store.ts";
import { matchFollowers, type ListedFollowers } from "./match-followers.ts";
import { setFollowing, type Follower } from "./set-following.ts";

export type { Direction } from "./contact-queries.ts";
export type { Contact } from "./contact-store.ts";
export type { Follower } from "./set-following.ts";

export type ContactsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
};

/** Who shares with whom. */
export type Contacts = ReturnType<typeof createContacts>;

export function createContacts(deps: ContactsDeps) {
  const { db, clock, facts } = deps;
  return {
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
    /** Finds a local user's contact by the Guid of the follow request that began it. */
    findByRequest: (requestGuid: string) =>
      findContactByRequest(db.read, requestGuid),
    setFollowing: (tx: Tx, by: Follower, person: Person, following: boolean) =>
      setFollowing(deps, tx, by, person, following),
    /**
     * Records that a remote person starts or stops sharing with a local user.
     * @param uri the id of the message that starts it, which the message that stops it
     *   refers to
     * @returns false if the user has blocked the person
     */
    receiveSharing: (
      userId: UserId,
      personId: PersonId,
      sharing: boolean,
      uri: string | null = null,
    ): Promise<boolean> =>
      db.transaction(async (tx) => {
        await lockKey(tx, db.dialect, `contacts:${userId}`);
        if (sharing && (await hasUserBlocked(tx, userId, personId)))
          return false;
        const known = await findContact(tx, userId, personId);
        const isChange = (known?.sharing ?? false) !== sharing;
        // A repeated message may have a newer id, or none.
        const sharingUri = sharing ? (uri ?? known?.sharingUri ?? null) : null;
        if (!isChange && (known?.sharingUri ?? null) === sharingUri)
          return true;
        const now = timestamp(clock.now());
        await saveSharing(tx, userId, personId, sharing, now, sharingUri);
        if (isChange && sharing)
          await facts.record(tx, {
            type: "sharing.started",
            userId,
            by: personId,
          });
        return true;
      }),
    /** Finds the users with whom a person shares by the message with this id. */
    findUsersSharedWithBy: (personId: PersonId, uri: string, limit: number) =>
      findUsersSharedWithBy(db.read, personId, uri, limit),
    /** Moves sharing with the user to this person, from the account it moved from. */
    takeOverSharing: (tx: Tx, userId: UserId, personId: PersonId) =>
      saveSharing(tx, userId, personId, true, timestamp(clock.now())),
    /** Ends the person's sharing with the user, whatever the person says. */
    endSharing: async (tx: Tx, userId: UserId, personId: PersonId) => {
      const known = await findContact(tx, userId, personId);
      if (!known?.sharing) return;
      await saveSharing(tx, userId, personId, false, timestamp(clock.now()));
    },
    /**
     * Deletes some contacts of a person who has left.
     * @returns true if more remain
     */
    removeSomeOf: (
      leaver: { personId: PersonId; userId: UserId | null },
      limit: number,
    ) =>
      db.transaction(
        async (tx) => (await deleteSomeContactsOf(tx, leaver, limit)) > 0,
      ),
    /** Records the person's answer to a user's follow request. */
    receiveAnswer: (userId: UserId, personId: PersonId, isConfirmed: boolean) =>
      db.transaction(async (tx) => {
        await lockKey(tx, db.dialect, `contacts:${userId}`);
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
    list: (userId: UserId, direction: Direction, page: Page) =>
      listDirection(db.read, userId, direction, page),
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
