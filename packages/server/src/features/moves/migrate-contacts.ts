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

/** Who goes on as whom. */
export type Relocation = {
  readonly from: Person;
  readonly to: Person;
  /** Everything goes along (diaspora*), not the followers alone (ActivityPub). */
  readonly withContent: boolean;
};

/**
 * The users here who have the old person in aspects have the new one there
 * instead, and its server is told, as when they add somebody themselves.
 * @returns true where more is left
 */
export async function migrateContacts(
  deps: MigrateContactsDeps,
  relocation: Relocation,
  limit: number,
): Promise<boolean> {
  const { from, withContent } = relocation;
  const { read } = deps.db;
  const users = await listSomeUsersOf(read, from.id, withContent, limit);
  for (const userId of users) await carryContact(deps, relocation, userId);
  return users.length > 0;
}

async function carryContact(
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
    // Who is here shares by its own aspects, and by nothing else.
    if (goesOn && known?.sharing && to.userId === null)
      await contacts.takeOverSharing(tx, userId, to.id);
    await contacts.endSharing(tx, userId, from.id);
  });
}

function isContact(known: Contact | undefined): boolean {
  return known?.following === true || known?.sharing === true;
}

/** Is there nothing between the two, so that one may be the contact of the other? */
async function mayKnow(tx: Tx, owner: Person, to: Person): Promise<boolean> {
  return (
    owner.state === "active" &&
    owner.movedToId === null &&
    owner.id !== to.id &&
    !(await hasBlocked(tx, owner.id, to.id)) &&
    !(await hasBlocked(tx, to.id, owner.id))
  );
}
