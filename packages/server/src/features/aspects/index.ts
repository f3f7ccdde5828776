import type { Reader, Tx } from "../../db/db.ts";
import type { RepliesPolicy } from "../../db/schema/columns/stored-names.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Follower } from "../contacts/index.ts";
import type { AspectId, PersonId, UserId } from "../ids.ts";
import {
  deleteSomeAspectsOf,
  insertAspect,
  listAspects,
  listAspectSummaries,
  listMemberIds,
  updateAspect,
  type Aspect,
  type AspectChange,
  type AspectSummary,
} from "./aspect-store.ts";
import type { Person } from "../people/index.ts";
import {
  changeMemberships,
  moveAspect,
  type AspectStep,
  type WantedMembership,
} from "./arrange-aspects.ts";
import {
  addPerson,
  copyMemberships,
  getAspect,
  lockContacts,
  removeAspect,
  removeFromAllAspects,
  removePerson,
  type MembershipDeps,
} from "./change-membership.ts";
import {
  followPerson,
  unfollowPerson,
  type FollowOptions,
} from "./follow-person.ts";

import {
  takeOverAspect,
  takeOverMembership,
  type AspectToTakeOver,
} from "./take-over-membership.ts";

export type { Aspect, AspectSummary, Membership } from "./aspect-store.ts";
export type { RepliesPolicy };

/** Aspects: a user's own groups of contacts, and their members. */
export type Aspects = ReturnType<typeof createAspects>;

const MAX_NAME_LENGTH = 255;

export function createAspects(deps: MembershipDeps) {
  const { db, clock } = deps;
  return {
    /** Lists the user's aspects in the user's own order. */
    list: (userId: UserId): Promise<Aspect[]> => listAspects(db.read, userId),
    /** The same, without naming the members. */
    listSummaries: (userId: UserId): Promise<AspectSummary[]> =>
      listAspectSummaries(db.read, userId),
    listHolding: (userId: UserId, personId: PersonId): Promise<Aspect[]> =>
      listAspects(db.read, userId, { holding: personId }),
    /** Finds an aspect of this user; `undefined` for another user's aspect. */
    find: async (
      reader: Reader,
      userId: UserId,
      id: AspectId,
    ): Promise<Aspect | undefined> => {
      const [aspect] = await listAspects(reader, userId, { ids: [id] });
      return aspect;
    },
    /** Finds those of these aspects that are the user's, in their order. */
    findAll: (
      reader: Reader,
      userId: UserId,
      ids: readonly AspectId[],
    ): Promise<Aspect[]> => listAspects(reader, userId, { ids }),
    /** Lists the members of all of the user's aspects, each once. */
    listMemberIds: (reader: Reader, userId: UserId): Promise<PersonId[]> =>
      listMemberIds(reader, userId),
    create: (
      userId: UserId,
      name: string,
      choices?: Omit<AspectChange, "name">,
    ): Promise<Aspect> => {
      const checked = checkName(name);
      return db.transaction(async (tx) => {
        const now = timestamp(clock.now());
        const id = await insertAspect(tx, userId, checked, now);
        if (choices) await updateAspect(tx, id, choices, now);
        return getAspect(tx, userId, id);
      });
    },
    /** Of a server that moves here: nobody is notified. */
    takeOver: (aspect: AspectToTakeOver) => takeOverAspect(deps, aspect),
    takeOverMembership: (member: Parameters<typeof takeOverMembership>[1]) =>
      takeOverMembership(deps, member),
    rename: (userId: UserId, id: AspectId, name: string): Promise<Aspect> =>
      changeAspect(deps, userId, id, { name }),
    /** Changes what is given. @throws {KithError} `not_found` for another user's */
    change: (userId: UserId, id: AspectId, change: AspectChange) =>
      changeAspect(deps, userId, id, change),
    remove: (by: Follower, id: AspectId) => removeAspect(deps, by, id),
    /** Moves an aspect by one place. @throws {KithError} `not_found` for another user's */
    move: (userId: UserId, id: AspectId, step: AspectStep) =>
      db.transaction((tx) => moveAspect(deps, tx, userId, id, step)),
    changeMemberships: (by: Follower, wanted: readonly WantedMembership[]) =>
      changeMemberships(deps, by, wanted),
    addPerson: (
      by: Follower,
      id: AspectId,
      personId: PersonId,
      isCounted?: boolean,
    ) => addPerson(deps, by, id, personId, isCounted),
    removePerson: (by: Follower, id: AspectId, personId: PersonId) =>
      removePerson(deps, by, id, personId),
    follow: (
      by: Follower,
      personId: PersonId,
      defaultName: string,
      options?: FollowOptions,
    ) => followPerson(deps, by, personId, defaultName, options),
    unfollow: (by: Follower, personId: PersonId) =>
      unfollowPerson(deps, by, personId),
    /**
     * Deletes some aspects and memberships of a person who has left.
     * @returns true if more remain
     */
    removeSomeOf: (
      leaver: { personId: PersonId; userId: UserId | null },
      limit: number,
    ) =>
      db.transaction(
        async (tx) => (await deleteSomeAspectsOf(tx, leaver, limit)) > 0,
      ),
    /** Blocks changes of these users' contacts until the transaction ends. */
    lock: (tx: Tx, userIds: readonly UserId[]) =>
      lockContacts(deps, tx, ...userIds),
    /** Adds one person to all aspects that contain the other. The caller holds the lock. */
    copyMemberships: (tx: Tx, by: Follower, from: PersonId, to: Person) =>
      copyMemberships(deps, tx, by, from, to),
    /** Removes a person from all aspects and ends the contact. The caller holds the lock. */
    removeFromAll: (tx: Tx, by: Follower, { id }: { readonly id: PersonId }) =>
      removeFromAllAspects(deps, tx, by, id),
  };
}

async function changeAspect(
  { db, clock }: MembershipDeps,
  userId: UserId,
  id: AspectId,
  change: AspectChange,
): Promise<Aspect> {
  const name = change.name === undefined ? undefined : checkName(change.name);
  return db.transaction(async (tx) => {
    await getAspect(tx, userId, id);
    await updateAspect(tx, id, { ...change, name }, timestamp(clock.now()));
    return getAspect(tx, userId, id);
  });
}

function checkName(name: string): string {
  const checked = storableText(name).trim();
  if (checked === "")
    throw new KithError("empty_string", "The name must not be blank.");
  if ([...checked].length > MAX_NAME_LENGTH)
    throw new KithError(
      "bad_request",
      `The name must have at most ${MAX_NAME_LENGTH} characters.`,
    );
  return checked;
}
