import type { Db, Tx } from "../../db/db.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Contact, Contacts } from "../contacts/index.ts";
import { hasBlocked } from "../visibility/index.ts";
import type { Facts } from "../facts.ts";
import type { UserId } from "../ids.ts";
import type { People, Person } from "../people/index.ts";
import { listSomeUsersOf } from "./move-queries.ts";

export type MigrateContactsDeps = {
  readonly db: Db;
  readonly facts: Facts;
  readonly people: People;
  readonly aspects: Aspects;
  readonly contacts: Contacts;
};

/** The old and the new person of a move. */
export type Relocation = {
  readonly from: Person;
  readonly to: Person;
  /** With all content (diaspora*), not only the followers (ActivityPub). */
  readonly withContent: boolean;
};

/**
 * Replaces the old person by the new one in local users' aspects, and notifies the new
 * person's server as if the users had added the person themselves.
 * @returns true if more are left
 */
export async function migrateContacts(
  deps: MigrateContactsDeps,
  relocation: Relocation,
  limit: number,
): Promise<boolean> {
  const { from, withContent } = relocation;
  const { read } = deps.db;
  // The person asked decides about the new account anew.
  await deps.db.transaction((tx) => deps.contacts.requests.endAllOf(tx, from));
  const users = await listSomeUsersOf(read, from.id, withContent, limit);
  for (const userId of users) await migrateContact(deps, relocation, userId);
  return users.length > 0;
}

async function migrateContact(
  deps: MigrateContactsDeps,
  { from, to, withContent }: Relocation,
  userId: UserId,
): Promise<void> {
  const { db, facts, people, aspects, contacts } = deps;
  const local = [from.userId, to.userId].filter((id) => id !== null);
  await db.transaction(async (tx) => {
    await aspects.lock(tx, [...new Set([userId, ...local])]);
    const owner = await people.find({ userId }, tx);
    if (!owner) return;
    const by = { userId, personId: owner.id };
    const known = await contacts.find(userId, from.id, tx);
    const goesOn = await mayKnow(tx, owner, to);
    if (goesOn) await aspects.copyMemberships(tx, by, from.id, to);
    await aspects.removeFromAll(tx, by, from);
    if (goesOn && isContact(known))
      await facts.record(tx, {
        type: "contact.moved",
        userId,
        to: to.id,
        by: from.id,
      });
    if (!withContent) return;
    // A local person shares by their own aspects alone.
    if (goesOn && known?.sharing && to.userId === null)
      await contacts.takeOverSharing(tx, userId, to.id);
    await contacts.endSharing(tx, userId, from.id);
  });
}

function isContact(known: Contact | undefined): boolean {
  return known?.following === true || known?.sharing === true;
}

/** Can the two be contacts, with no block or move in the way? */
async function mayKnow(tx: Tx, owner: Person, to: Person): Promise<boolean> {
  return (
    owner.state === "active" &&
    owner.movedToId === null &&
    owner.id !== to.id &&
    !(await hasBlocked(tx, owner.id, to.id)) &&
    !(await hasBlocked(tx, to.id, owner.id))
  );
}
