import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, UserId } from "../ids.ts";
import { listConfirmedFollowers, listUsersNamed } from "./contact-queries.ts";
import { endConfirmed, findContact, saveConfirmed } from "./contact-store.ts";

type MatchFollowersDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
};

/** Whom a person elsewhere counts among its followers here, as its own server tells it. */
export type ListedFollowers = {
  readonly personId: PersonId;
  /** Of people here. A made-up one names nobody. */
  readonly handles: ReadonlySet<string>;
  /** When the list was asked for: it knows nothing of what was changed since. */
  readonly since: Timestamp;
  /** May one more message be sent to its server because of such lists? */
  readonly mayTell: () => boolean;
};

/** Of one list, however many it makes up. */
const MAX_CORRECTED = 100;

/**
 * Takes over whom a person elsewhere counts among its followers here. One whom it does
 * not name follows it no longer with its consent, and one whose Follow waits has it. To
 * one who does not follow it at all it is told that this is over.
 * @returns how many were not as listed
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

/** Somebody here is listed who is not known to follow. */
async function correct(
  { db, clock, facts }: MatchFollowersDeps,
  tx: Tx,
  { userId, personId: by }: Follower,
  { personId, since, mayTell }: ListedFollowers,
): Promise<void> {
  await lockKey(tx, db.dialect, `contacts:${userId}`);
  const contact = await findContact(tx, userId, personId);
  if (contact && contact.updatedAt >= since) return;
  if (contact?.following) {
    const now = timestamp(clock.now());
    await saveConfirmed(tx, userId, personId, true, now);
    return;
  }
  if (!mayTell()) return;
  await facts.record(tx, {
    type: "contact.changed",
    userId,
    personId,
    following: false,
    requestGuid: contact?.requestGuid ?? newGuid(),
    by,
  });
}
