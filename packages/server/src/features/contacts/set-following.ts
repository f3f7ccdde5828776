import type { Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Person } from "../people/index.ts";
import { findContact, saveFollowing, saveSharing } from "./contact-store.ts";
import { deleteRequest, isLocked } from "./follow-request-store.ts";
import { askToFollow } from "./receive-sharing.ts";

type SetFollowingDeps = { readonly clock: Clock; readonly facts: Facts };

/** The user's side of a contact. */
export type Follower = {
  readonly userId: UserId;
  readonly personId: PersonId;
};

/**
 * Adds the person to the first of the user's aspects, or removes it from the last. Between
 * two local people both sides change at once, unless the person approves followers; remote
 * servers are notified by the effects of the fact.
 */
export async function setFollowing(
  deps: SetFollowingDeps,
  tx: Tx,
  by: Follower,
  person: Person,
  following: boolean,
): Promise<void> {
  const known = await findContact(tx, by.userId, person.id);
  if ((known?.following ?? false) === following) return;
  const now = timestamp(deps.clock.now());
  const kept = following ? undefined : known?.requestGuid;
  const requestGuid = kept ?? newGuid();
  const { userId } = person;
  const isAsking = following && userId !== null && (await isLocked(tx, userId));
  const isConfirmed = following && userId !== null && !isAsking;
  const change = { following, requestGuid, isConfirmed };
  await saveFollowing(tx, by.userId, person.id, change, now);
  if (userId !== null)
    return isAsking
      ? askToFollow(deps, tx, userId, { personId: by.personId, uri: null })
      : shareHere(deps, tx, userId, by.personId, following);
  await deps.facts.record(tx, {
    type: "contact.changed",
    userId: by.userId,
    personId: person.id,
    following,
    requestGuid,
    by: by.personId,
  });
}

async function shareHere(
  { clock, facts }: SetFollowingDeps,
  tx: Tx,
  userId: UserId,
  by: PersonId,
  sharing: boolean,
): Promise<void> {
  // A person who only asked did not share.
  if (!sharing && (await deleteRequest(tx, userId, by))) return;
  await saveSharing(tx, userId, by, sharing, timestamp(clock.now()));
  if (sharing) await facts.record(tx, { type: "sharing.started", userId, by });
}
