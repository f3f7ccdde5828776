import type { Db } from "../../db/db.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import { findContact, saveFollowing, saveSharing } from "./contact-store.ts";
import { lockContactsOf } from "./lock-contacts.ts";

/** A contact of a server that moves here as a whole: the other side has it already. */
export type ContactToTakeOver = {
  readonly userId: UserId;
  readonly personId: PersonId;
  /** `following`: the user shares with the person; `sharing`: the person with the user. */
  readonly direction: "following" | "sharing";
  readonly since: Timestamp;
};

/**
 * Stores one direction of a contact. Records no fact: nobody is notified, and no other server
 * learns of it.
 * @returns false if it is here
 */
export async function takeOverContact(
  { db }: { readonly db: Db },
  { userId, personId, direction, since }: ContactToTakeOver,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockContactsOf(db, tx, [userId]);
    const known = await findContact(tx, userId, personId);
    if (known?.[direction] === true) return false;
    const request = { requestGuid: newGuid(), isConfirmed: true };
    if (direction === "sharing")
      await saveSharing(tx, userId, personId, true, since);
    else
      await saveFollowing(
        ...([tx, userId, personId] as const),
        ...([{ ...request, following: true }, since] as const),
      );
    return true;
  });
}
