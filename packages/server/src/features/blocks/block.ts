import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Calendars } from "../calendars/index.ts";
import type { Contacts, Follower } from "../contacts/index.ts";
import type { Facts } from "../facts.ts";
import type { PersonId } from "../ids.ts";
import type { Notifications } from "../notifications/index.ts";
import type { People, Person } from "../people/index.ts";
import { deleteBlock, insertBlock } from "./distance-store.ts";

export type BlockDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly people: People;
  readonly contacts: Contacts;
  readonly aspects: Aspects;
  readonly calendars: Pick<Calendars, "endSharesWith">;
  readonly notifications: Notifications;
};

/**
 * Finds another person who still exists.
 * @throws {KithError} `not_found`, or `bad_request` for oneself
 */
export async function getPersonToBlock(
  { people }: Pick<BlockDeps, "people">,
  tx: Tx,
  by: Follower,
  id: PersonId,
): Promise<Person> {
  const person = await people.find({ id }, tx);
  if (person?.state !== "active")
    throw new KithError("not_found", "No such person.");
  if (person.id === by.personId)
    throw new KithError("bad_request", "You cannot block or ignore yourself.");
  return person;
}

/**
 * Blocks a person: the contact ends on both sides, and the user's notifications about the
 * person are deleted. Blocking again changes nothing.
 * @param byHost whether it follows from the block of the person's server
 * @throws {KithError} `not_found`, or `bad_request` for oneself
 */
export async function block(
  deps: BlockDeps,
  by: Follower,
  id: PersonId,
  byHost = false,
): Promise<Person> {
  const { db, clock, calendars, facts, notifications } = deps;
  return db.transaction(async (tx) => {
    const other = await getPersonToBlock(deps, tx, by, id);
    await lockBoth(deps, tx, by, other);
    const now = timestamp(clock.now());
    if (!(await insertBlock(tx, by.personId, other.id, now, byHost)))
      return other;
    await endContact(deps, tx, by, other);
    await calendars.endSharesWith(tx, by, other.id);
    await notifications.forgetOf(tx, by.userId, other.id);
    await facts.record(tx, {
      type: "person.blocked",
      personId: other.id,
      since: now,
      by: by.personId,
    });
    return other;
  });
}

/** @throws {KithError} `not_found` if the user had not blocked the person */
export async function unblock(
  { db, facts }: BlockDeps,
  by: Follower,
  id: PersonId,
  byHost = false,
): Promise<void> {
  await db.transaction(async (tx) => {
    const since = await deleteBlock(tx, by.personId, id, byHost);
    if (since === undefined) throw new KithError("not_found", "Not blocked.");
    await facts.record(tx, {
      type: "person.unblocked",
      personId: id,
      since,
      by: by.personId,
    });
  });
}

/** Records that a remote person blocks or unblocks a local user. */
export async function receiveBlock(
  deps: BlockDeps,
  blocker: Person,
  blocked: Follower,
  isBlocking: boolean,
): Promise<void> {
  const { db, clock, aspects, contacts } = deps;
  await db.transaction(async (tx) => {
    if (!isBlocking) {
      await deleteBlock(tx, blocker.id, blocked.personId);
      return;
    }
    await aspects.lock(tx, [blocked.userId]);
    const now = timestamp(clock.now());
    await insertBlock(tx, blocker.id, blocked.personId, now);
    await aspects.removeFromAll(tx, blocked, blocker);
    await contacts.endSharing(tx, blocked.userId, blocker.id);
  });
}

/** Locks both sides: either may be adding the other to an aspect at the same time. */
async function lockBoth(
  { aspects }: BlockDeps,
  tx: Tx,
  by: Follower,
  { userId }: Person,
): Promise<void> {
  await aspects.lock(tx, userId === null ? [by.userId] : [by.userId, userId]);
}

async function endContact(
  { aspects, contacts }: BlockDeps,
  tx: Tx,
  by: Follower,
  other: Person,
): Promise<void> {
  await aspects.removeFromAll(tx, by, other);
  await contacts.endSharing(tx, by.userId, other.id);
  if (other.userId === null) return;
  const otherSide = { userId: other.userId, personId: other.id };
  await aspects.removeFromAll(tx, otherSide, { id: by.personId });
}
