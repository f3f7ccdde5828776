import { KithError } from "../../lib/errors.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import { findContact, saveSharing } from "./contact-store.ts";
import { announceAnswer, type FollowRequestsDeps } from "./follow-requests.ts";
import { lockContactsOf } from "./lock-contacts.ts";
import type { Follower } from "./set-following.ts";

/**
 * Ends a person's follow of the user, as if a request had been refused: the refusal is sent
 * where the protocol has a message for it, and the person may follow again. The user's aspects
 * stay as they are.
 * @throws {KithError} `not_found` if the person does not follow the user
 */
export async function removeFollower(
  deps: FollowRequestsDeps,
  by: Follower,
  id: PersonId,
): Promise<void> {
  const { db, clock, people } = deps;
  await db.transaction(async (tx) => {
    const person = await people.find({ id }, tx);
    const local = person?.userId ?? null;
    await lockContactsOf(db, tx, [
      by.userId,
      ...(local === null ? [] : [local]),
    ]);
    const contact = await findContact(tx, by.userId, id);
    if (person?.state !== "active" || !contact?.sharing)
      throw new KithError("not_found", "This person does not follow you.");
    const now = timestamp(clock.now());
    const { sharingUri: uri } = contact;
    await saveSharing(tx, by.userId, id, false, now);
    await announceAnswer(deps, tx, by, person, { uri, isAccepted: false });
  });
}
