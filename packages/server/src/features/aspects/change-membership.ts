import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { Contacts, Follower } from "../contacts/index.ts";
import { hasBlocked } from "../visibility/index.ts";
import type { AspectId, PersonId, UserId } from "../ids.ts";
import type { Newcomers } from "../newcomers/index.ts";
import { refuseMoved } from "../moved.ts";
import type { People, Person } from "../people/index.ts";
import {
  deleteAspect,
  deleteMembership,
  deleteMembershipsOf,
  findMembership,
  insertMembership,
  isInAnyAspect,
  listAspects,
  type Aspect,
  type Membership,
} from "./aspect-store.ts";

export type MembershipDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly people: People;
  readonly contacts: Contacts;
  readonly newcomers: Pick<Newcomers, "admitFollow">;
};

/** Treats another user's aspect like one that does not exist. */
export async function getAspect(
  tx: Tx,
  userId: UserId,
  id: AspectId,
): Promise<Aspect> {
  const [aspect] = await listAspects(tx, userId, { ids: [id] });
  if (!aspect) throw new KithError("not_found", "No such aspect.");
  return aspect;
}

/**
 * Adds a person to an aspect; the first aspect makes the person a contact.
 * @param isCounted does it count towards the limits for new accounts?
 * @throws {KithError} `not_found` for an unknown aspect or person, and for one who has
 *   blocked the user; `bad_request` for oneself and for people whom the user has blocked
 */
export async function addPerson(
  deps: MembershipDeps,
  by: Follower,
  aspectId: AspectId,
  personId: PersonId,
  isCounted = true,
): Promise<Membership> {
  return deps.db.transaction(async (tx) => {
    await lockContacts(deps, tx, by.userId);
    const aspect = await getAspect(tx, by.userId, aspectId);
    await putInto(deps, tx, by, { aspectId: aspect.id, personId }, isCounted);
    const membership = await findMembership(tx, aspect.id, personId);
    if (!membership) throw new Error("The membership cannot be read");
    return membership;
  });
}

/** @throws {KithError} `not_found` if the person is not in that aspect of the user */
export async function removePerson(
  deps: MembershipDeps,
  by: Follower,
  aspectId: AspectId,
  personId: PersonId,
): Promise<Membership> {
  return deps.db.transaction(async (tx) => {
    await lockContacts(deps, tx, by.userId);
    const aspect = await getAspect(tx, by.userId, aspectId);
    const membership = await takeOutOf(deps, tx, by, {
      aspectId: aspect.id,
      personId,
    });
    if (!membership) throw new KithError("not_found", "Not in that aspect.");
    return membership;
  });
}

type Place = { readonly aspectId: AspectId; readonly personId: PersonId };

/**
 * Puts a person into an aspect, where it may be already. The caller holds the lock.
 * @throws {KithError} like `getContactToChange`
 */
export async function putInto(
  deps: MembershipDeps,
  tx: Tx,
  by: Follower,
  { aspectId, personId }: Place,
  isCounted = true,
): Promise<void> {
  const person = await getContactToChange(deps, tx, by, personId);
  if (isCounted && !(await isInAnyAspect(tx, by.userId, personId)))
    await deps.newcomers.admitFollow(tx, by);
  const now = timestamp(deps.clock.now());
  await insertMembership(tx, aspectId, person.id, now);
  await deps.contacts.setFollowing(tx, by, person, true);
}

/**
 * Takes a person out of an aspect. The caller holds the lock.
 * @returns undefined if the person was not in it
 */
export async function takeOutOf(
  deps: MembershipDeps,
  tx: Tx,
  by: Follower,
  { aspectId, personId }: Place,
): Promise<Membership | undefined> {
  const membership = await findMembership(tx, aspectId, personId);
  if (!membership) return undefined;
  await deleteMembership(tx, membership.id);
  await endContactOutsideAspects(deps, tx, by, personId);
  return membership;
}

/** Deletes an aspect. Its members who are in no other aspect are no longer contacts. */
export async function removeAspect(
  deps: MembershipDeps,
  by: Follower,
  id: AspectId,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockContacts(deps, tx, by.userId);
    const aspect = await getAspect(tx, by.userId, id);
    await deleteAspect(tx, aspect.id);
    for (const { personId } of aspect.memberships)
      await endContactOutsideAspects(deps, tx, by, personId);
  });
}

/**
 * Removes the person from all of the user's aspects, ending the contact. The caller holds
 * the lock.
 */
export async function removeFromAllAspects(
  { people, contacts }: MembershipDeps,
  tx: Tx,
  by: Follower,
  personId: PersonId,
): Promise<void> {
  await deleteMembershipsOf(tx, by.userId, personId);
  const person = await people.find({ id: personId }, tx);
  if (person) await contacts.setFollowing(tx, by, person, false);
}

/** Adds a moved account to the aspects of the old one, with the choices about that. The caller holds the lock. */
export async function copyMemberships(
  { clock, contacts }: MembershipDeps,
  tx: Tx,
  by: Follower,
  from: PersonId,
  to: Person,
): Promise<void> {
  const { userId } = by;
  const aspects = await listAspects(tx, userId, { holding: from });
  if (aspects.length === 0) return;
  const now = timestamp(clock.now());
  for (const { id } of aspects) await insertMembership(tx, id, to.id, now);
  const old = await contacts.find(userId, from, tx);
  const isNew = !(await contacts.find(userId, to.id, tx))?.following;
  await contacts.setFollowing(tx, by, to, true);
  if (isNew && old?.following)
    await contacts.changeChoicesWithin(tx, userId, to.id, old.choices);
}

/** Ends the contact with a person who is in no aspect any more. The caller holds the lock. */
export async function endContactOutsideAspects(
  { people, contacts }: MembershipDeps,
  tx: Tx,
  by: Follower,
  personId: PersonId,
): Promise<void> {
  if (await isInAnyAspect(tx, by.userId, personId)) return;
  const person = await people.find({ id: personId }, tx);
  if (person) await contacts.setFollowing(tx, by, person, false);
}

/**
 * @throws {KithError} `not_found` for an unknown person, `bad_request` for oneself and for
 *   people whom the user has blocked
 */
export async function getContactToChange(
  { people }: MembershipDeps,
  tx: Tx,
  by: Follower,
  id: PersonId,
): Promise<Person> {
  const person = await people.find({ id }, tx);
  if (person?.state !== "active")
    throw new KithError("not_found", "No such person.");
  if (person.id === by.personId)
    throw new KithError("bad_request", "You cannot be a contact of yourself.");
  if (await hasBlocked(tx, person.id, by.personId))
    throw new KithError("not_found", "Blocked by that person.");
  if (await hasBlocked(tx, by.personId, person.id))
    throw new KithError(
      "bad_request",
      "You have blocked this person: end the block first.",
    );
  await refuseMoved(tx, by.personId);
  return person;
}

/**
 * Which aspect is the first or last is read before writing, so concurrent changes by one
 * user must wait for each other.
 */
export async function lockContacts(
  { contacts }: MembershipDeps,
  tx: Tx,
  ...userIds: readonly UserId[]
): Promise<void> {
  await contacts.lock(tx, userIds);
}
