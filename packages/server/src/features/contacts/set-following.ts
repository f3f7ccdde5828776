import type { Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Person } from "../people/index.ts";
import { findContact, saveFollowing, saveSharing } from "./contact-store.ts";

type SetFollowingDeps = { readonly clock: Clock; readonly facts: Facts };

/** The user's side of a contact. */
export type Follower = {
  readonly userId: UserId;
  readonly personId: PersonId;
};

/**
 * Adds the person to the first of the user's aspects, or removes it from the last. Between
 * two local people both sides change at once; remote servers are notified by the effects
 * of the fact.
 */
export async function setFollowing(
  { clock, facts }: SetFollowingDeps,
  tx: Tx,
  by: Follower,
  person: Person,
  following: boolean,
): Promise<void> {
  const known = await findContact(tx, by.userId, person.id);
  if ((known?.following ?? false) === following) return;
  const now = timestamp(clock.now());
  const kept = following ? undefined : known?.requestGuid;
  const requestGuid = kept ?? newGuid();
  const isLocal = person.userId !== null;
  const isConfirmed = following && isLocal;
  const change = { following, requestGuid, isConfirmed };
  await saveFollowing(tx, by.userId, person.id, change, now);
  if (person.userId !== null) {
    await saveSharing(tx, person.userId, by.personId, following, now);
    if (following)
      await facts.record(tx, {
        type: "sharing.started",
        userId: person.userId,
        by: by.personId,
      });
    return;
  }
  await facts.record(tx, {
    type: "contact.changed",
    userId: by.userId,
    personId: person.id,
    following,
    requestGuid,
    by: by.personId,
  });
}
