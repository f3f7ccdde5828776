import type { Db, Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import { findContact, saveFollowChoices } from "./contact-store.ts";
import type { FollowChoices } from "./follow-choices.ts";
import { lockContactsOf } from "./lock-contacts.ts";

type ChangeDeps = { readonly db: Db; readonly clock: Clock };

/**
 * Changes the given choices about a followed person and leaves the rest.
 * @throws {KithError} `not_found` if the user does not follow the person
 */
export function changeFollowChoices(
  deps: ChangeDeps,
  userId: UserId,
  personId: PersonId,
  changes: Partial<FollowChoices>,
): Promise<FollowChoices> {
  return deps.db.transaction(async (tx) => {
    await lockContactsOf(deps.db, tx, [userId]);
    return changeWithin(deps, tx, userId, personId, changes);
  });
}

/** The same, within a transaction that holds the lock of the user's contacts. */
export async function changeWithin(
  { clock }: Pick<ChangeDeps, "clock">,
  tx: Tx,
  userId: UserId,
  personId: PersonId,
  changes: Partial<FollowChoices>,
): Promise<FollowChoices> {
  const known = await findContact(tx, userId, personId);
  if (!known?.following)
    throw new KithError("not_found", "You do not follow this person.");
  const choices = { ...known.choices, ...changes };
  if (Object.keys(changes).length > 0)
    await saveFollowChoices(
      tx,
      userId,
      personId,
      choices,
      timestamp(clock.now()),
    );
  return choices;
}
