import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, UserId } from "../ids.ts";
import { listConfirmedFollowers, listUsersNamed } from "./contact-queries.ts";
import { lockContactsOf } from "./lock-contacts.ts";
import { endConfirmed, findContact, saveConfirmed } from "./contact-store.ts";

type MatchFollowersDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
};

/** A remote person's local followers, as its own server lists them. */
export type ListedFollowers = {
  readonly personId: PersonId;
  /** Handles of local people. Unknown handles are ignored. */
  readonly handles: ReadonlySet<string>;
  /** When the list was requested: it does not include later changes. */
  readonly since: Timestamp;
  /** May another message be sent to its server because of such lists? */
  readonly mayAnnounce: () => boolean;
};

/** Corrections per list, however many handles it makes up. */
const MAX_CORRECTED = 100;

/**
 * Takes over a remote person's list of its local followers. A follower that is not listed
 * loses the person's confirmation; a pending Follow that is listed is confirmed. For a
 * listed account that does not follow the person, its server is notified that the follow
 * has ended.
 * @returns how many follows did not match the list
 */
export async function matchFollowers(
  deps: MatchFollowersDeps,
  listed: ListedFollowers,
): Promise<number> {
  const { db, clock } = deps;
  const { personId, handles, since } = listed;
  const known = await listConfirmedFollowers(db.read, personId);
  const knownHandles = new Set(known.map(({ handle }) => handle));
  const lost = known.filter(({ handle }) => !handles.has(handle));
  const unknown = [...handles].filter((handle) => !knownHandles.has(handle));
  const users = await listUsersNamed(db.read, unknown, MAX_CORRECTED);
  if (lost.length > 0) {
    const ids = lost.map(({ userId }) => userId);
    const now = timestamp(clock.now());
    await db.transaction((tx) =>
      endConfirmed(tx, db.dialect, personId, ids, { since, now }),
    );
  }
  for (const follower of users)
    await db.transaction((tx) => correct(deps, tx, follower, listed));
  return lost.length + users.length;
}

type Follower = { readonly userId: UserId; readonly personId: PersonId };

/** Corrects a listed local account that is not known as a follower. */
async function correct(
  { db, clock, facts }: MatchFollowersDeps,
  tx: Tx,
  { userId, personId: by }: Follower,
  { personId, since, mayAnnounce }: ListedFollowers,
): Promise<void> {
  await lockContactsOf(db, tx, [userId]);
  const contact = await findContact(tx, userId, personId);
  if (contact && contact.updatedAt >= since) return;
  if (contact?.following) {
    const now = timestamp(clock.now());
    await saveConfirmed(tx, userId, personId, true, now);
    return;
  }
  if (!mayAnnounce()) return;
  await facts.record(tx, {
    type: "contact.changed",
    userId,
    personId,
    following: false,
    requestGuid: contact?.requestGuid ?? newGuid(),
    by,
  });
}
