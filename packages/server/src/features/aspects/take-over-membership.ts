import type { Timestamp } from "../../lib/time/clock.ts";
import type { AspectId, PersonId, UserId } from "../ids.ts";
import {
  findMembership,
  insertAspect,
  insertMembership,
  listAspects,
} from "./aspect-store.ts";
import { lockContacts, type MembershipDeps } from "./change-membership.ts";

/** An aspect of a server that moves here as a whole. */
export type AspectToTakeOver = {
  readonly userId: UserId;
  readonly name: string;
  readonly isDefault: boolean;
  readonly createdAt: Timestamp;
};

/** Finds the user's aspect of this name, or creates it. */
export async function takeOverAspect(
  deps: MembershipDeps,
  { userId, name, isDefault, createdAt }: AspectToTakeOver,
): Promise<{ readonly id: AspectId; readonly isNew: boolean }> {
  return deps.db.transaction(async (tx) => {
    await lockContacts(deps, tx, userId);
    const aspects = await listAspects(tx, userId);
    const known = aspects.find((it) => it.name === name);
    if (known) return { id: known.id, isNew: false };
    const isFirst = isDefault && !aspects.some((it) => it.isDefault);
    const id = await insertAspect(tx, userId, name, createdAt, isFirst);
    return { id, isNew: true };
  });
}

/**
 * Puts a person into an aspect of a server that moves here; the contact comes with it
 * separately. Nobody is notified.
 * @returns false if the person is in it
 */
export async function takeOverMembership(
  deps: MembershipDeps,
  {
    userId,
    aspectId,
    personId,
    since,
  }: {
    readonly userId: UserId;
    readonly aspectId: AspectId;
    readonly personId: PersonId;
    readonly since: Timestamp;
  },
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    await lockContacts(deps, tx, userId);
    if (await findMembership(tx, aspectId, personId)) return false;
    await insertMembership(tx, aspectId, personId, since);
    return true;
  });
}
