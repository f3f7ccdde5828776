import type { Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { FollowChoices, Follower } from "../contacts/index.ts";
import type { AspectId, PersonId } from "../ids.ts";
import {
  deleteMembership,
  insertAspect,
  insertMembership,
  listAspects,
} from "./aspect-store.ts";
import {
  getContactToChange,
  lockContacts,
  type MembershipDeps,
} from "./change-membership.ts";

export type FollowOptions = {
  /** Does it count towards the limits for new accounts? Yes where not said. */
  readonly isCounted?: boolean;
  /** The choices about the person that change. */
  readonly choices?: Partial<FollowChoices>;
};

/**
 * Makes a person a contact without naming an aspect. A person already in an aspect stays
 * there only; others are added to the default aspect, with which nothing has been shared
 * before: aspects that the user created have audiences of their own.
 * @param defaultName the name of the default aspect, if the user has none yet
 * @throws {KithError} `not_found` for an unknown person, `bad_request` for oneself
 */
export async function followPerson(
  deps: MembershipDeps,
  by: Follower,
  personId: PersonId,
  defaultName: string,
  { isCounted = true, choices = {} }: FollowOptions = {},
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockContacts(deps, tx, by.userId);
    const person = await getContactToChange(deps, tx, by, personId);
    const holding = await listAspects(tx, by.userId, { holding: personId });
    if (holding.length === 0) {
      if (isCounted) await deps.newcomers.admitFollow(tx, by);
      const now = timestamp(deps.clock.now());
      const aspectId = await getDefaultAspect(tx, by, defaultName, now);
      await insertMembership(tx, aspectId, person.id, now);
      await deps.contacts.setFollowing(tx, by, person, true);
    }
    if (Object.keys(choices).length > 0)
      await deps.contacts.changeChoicesWithin(tx, by.userId, personId, choices);
  });
}

async function getDefaultAspect(
  tx: Tx,
  { userId }: Follower,
  name: string,
  now: string,
): Promise<AspectId> {
  const aspects = await listAspects(tx, userId);
  const known = aspects.find(({ isDefault }) => isDefault);
  return known?.id ?? insertAspect(tx, userId, name, now, true);
}

/**
 * Removes a person from all of the user's aspects, which ends the contact.
 * @throws {KithError} `not_found` if the person is in none
 */
export async function unfollowPerson(
  deps: MembershipDeps,
  by: Follower,
  personId: PersonId,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockContacts(deps, tx, by.userId);
    const holding = await listAspects(tx, by.userId, { holding: personId });
    const memberships = holding.flatMap((aspect) =>
      aspect.memberships.filter((member) => member.personId === personId),
    );
    const person = await deps.people.find({ id: personId }, tx);
    if (memberships.length === 0 || !person)
      throw new KithError("not_found", "Not in any aspect.");
    for (const { id } of memberships) await deleteMembership(tx, id);
    await deps.contacts.setFollowing(tx, by, person, false);
  });
}
