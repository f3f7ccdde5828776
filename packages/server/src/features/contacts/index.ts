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
    /** How near somebody is to a person: it shares with its contacts. */
    nearnessOf: async (
      viewer: Pick<Follower, "userId" | "personId"> | null,
      person: PersonId,
    ): Promise<Nearness> => {
      if (viewer === null) return "stranger";
      if (viewer.personId === person) return "self";
      const contact = await findContact(db.read, viewer.userId, person);
      return contact?.sharing === true ? "contact" : "stranger";
    },
    /** The contact of a user here, by the Guid of the request by which it began. */
    findByRequest: (requestGuid: string) =>
      findContactByRequest(db.read, requestGuid),
    setFollowing: (tx: Tx, by: Follower, person: Person, following: boolean) =>
      setFollowing(deps, tx, by, person, following),
    /**
     * A person elsewhere starts or stops sharing with a user here.
     * @param uri of the message by which it starts, which names it when it stops
     * @returns false where the user has blocked the person
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
        // A message that comes again may have a newer id, or none.
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
    /** The users with whom a person shares by the message of this id. */
    findUsersSharedWithBy: (personId: PersonId, uri: string, limit: number) =>
      findUsersSharedWithBy(db.read, personId, uri, limit),
    /** Somebody who shared with the user goes on as this person. */
    takeOverSharing: (tx: Tx, userId: UserId, personId: PersonId) =>
      saveSharing(tx, userId, personId, true, timestamp(clock.now())),
    /** Whatever the person says, it shares nothing with the user any more. */
    endSharing: async (tx: Tx, userId: UserId, personId: PersonId) => {
      const known = await findContact(tx, userId, personId);
      if (!known?.sharing) return;
      await saveSharing(tx, userId, personId, false, timestamp(clock.now()));
    },
    /** Of somebody who has left. @returns true where more are left */
    removeSomeOf: (
      leaver: { personId: PersonId; userId: UserId | null },
      limit: number,
    ) =>
      db.transaction(
        async (tx) => (await deleteSomeContactsOf(tx, leaver, limit)) > 0,
      ),
    /** The person answers the request of a user. */
    receiveAnswer: (userId: UserId, personId: PersonId, isConfirmed: boolean) =>
      db.transaction(async (tx) => {
        await lockKey(tx, db.dialect, `contacts:${userId}`);
        const known = await findContact(tx, userId, personId);
        // The user has thought better of it meanwhile.
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
    list: (userId: UserId, direction: Direction, page: Page) =>
      listDirection(db.read, userId, direction, page),
    /** The users here who follow the person, as it has confirmed. */
    listConfirmedFollowers: (personId: PersonId) =>
      listConfirmedFollowers(db.read, personId),
    /**
     * Takes over whom a person elsewhere counts among its followers here.
     * @returns how many were not as listed
     */
    matchFollowers: (listed: ListedFollowers) => matchFollowers(deps, listed),
    count: (userId: UserId, direction: Direction) =>
      countDirection(db.read, userId, direction),
    /** One user here who follows the person; with `either`, also one whom the person follows. */
    findUserRelatedTo: (
      personId: PersonId,
      options: { readonly either: boolean },
    ) => findUserRelatedTo(db.read, personId, options),
    /** Does anybody here share with this person, or it with them? */
    isRelatedToAnybody: (personId: PersonId, reader: Reader = db.read) =>
      isRelatedToAnybody(reader, personId),
    /** Does anybody here follow this person, or ask to? That it follows somebody here is its own choice. */
    hasFollowersHere: (personId: PersonId, reader: Reader = db.read) =>
      hasFollowersHere(reader, personId),
    /** Does anybody here follow this person, and has it agreed to that? */
    isFollowedByAnybody: (personId: PersonId) =>
      isFollowedByAnybody(db.read, personId),
    /** The people here who get what this person posts for its followers. */
    listLocalFollowerIds: (personId: PersonId) =>
      listLocalFollowerIds(db.read, personId),
    /** The users here to whom what this person publishes matters. */
    listUsersRelatedTo: (personId: PersonId) =>
      listUsersRelatedTo(db.read, personId),
  };
}
