import type { Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { Follower } from "../contacts/index.ts";
import type { AspectId, PersonId, UserId } from "../ids.ts";
import {
  findMembership,
  listAspects,
  updateAspectPosition,
} from "./aspect-store.ts";
import {
  getAspect,
  getContactToChange,
  lockContacts,
  putInto,
  takeOutOf,
  type MembershipDeps,
} from "./change-membership.ts";

/** A place in the order of a user's aspects, beside the present one. */
export type AspectStep = "earlier" | "later";

/**
 * Swaps an aspect with the one before or behind it; at the end of the order it stays.
 * @throws {KithError} `not_found` for another user's aspect
 */
export async function moveAspect(
  deps: MembershipDeps,
  tx: Tx,
  userId: UserId,
  id: AspectId,
  step: AspectStep,
): Promise<void> {
  await lockContacts(deps, tx, userId);
  const ids = (await listAspects(tx, userId)).map((aspect) => aspect.id);
  const from = ids.indexOf(id);
  if (from < 0) throw new KithError("not_found", "No such aspect.");
  const to = step === "earlier" ? from - 1 : from + 1;
  const other = ids[to];
  if (other === undefined) return;
  ids[to] = id;
  ids[from] = other;
  // All of them: those of earlier versions all begin with position 0.
  for (const [at, each] of ids.entries())
    await updateAspectPosition(tx, each, at + 1);
}

/** Shall the person be in the aspect? */
export type WantedMembership = {
  readonly aspectId: AspectId;
  readonly personId: PersonId;
  readonly isMember: boolean;
};

/**
 * Puts people into aspects and takes others out of them, all or nothing. What is so already
 * stays as it is: a person who has moved or is blocked meanwhile is no fault then.
 * @throws {KithError} `not_found` for an aspect of another user, or a person who cannot be found;
 *   `bad_request` for oneself, and for people whom the user has blocked
 */
export async function changeMemberships(
  deps: MembershipDeps,
  by: Follower,
  wanted: readonly WantedMembership[],
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockContacts(deps, tx, by.userId);
    for (const aspectId of new Set(wanted.map((it) => it.aspectId)))
      await getAspect(tx, by.userId, aspectId);
    const added: WantedMembership[] = [];
    for (const one of wanted)
      if (one.isMember && !(await isIn(tx, one))) added.push(one);
    // All are checked before the first is written: most refusals come from here.
    for (const { personId } of added)
      await getContactToChange(deps, tx, by, personId);
    // Those who change aspects stay contacts in between.
    for (const one of added) await putInto(deps, tx, by, one);
    for (const one of wanted)
      if (!one.isMember) await takeOutOf(deps, tx, by, one);
  });
}

async function isIn(
  tx: Tx,
  { aspectId, personId }: WantedMembership,
): Promise<boolean> {
  return (await findMembership(tx, aspectId, personId)) !== undefined;
}
