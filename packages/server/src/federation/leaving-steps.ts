import type { Db } from "../db/db.ts";
import type { Accounts } from "../features/accounts/index.ts";
import type { Leaving, LeavingStep } from "../features/leaving/index.ts";
import type { People } from "../features/people/index.ts";
import { deleteSomeSentBy } from "./activitypub/records/sent-activity-store.ts";
import { DELIVERY_LIFETIME_MS } from "./delivery/schedule.ts";
import { deleteSomeSignaturesOf } from "./diaspora/records/relayable-store.ts";
import type { Outgoing } from "./outbound/outgoing.ts";

type FirstStepsDeps = {
  readonly db: Db;
  readonly people: People;
  readonly leaving: Leaving;
  readonly send: (outgoing: Outgoing) => Promise<void>;
};

/**
 * Notifies everyone concerned that the person has left, while the recipients
 * are still known.
 */
export function createFirstLeavingSteps(deps: FirstStepsDeps): LeavingStep[] {
  const { db, people, leaving, send } = deps;
  return [
    {
      name: "tell",
      run: async ({ personId, userId }) => {
        const by = await people.find({ id: personId });
        if (!by || userId === null || by.movedToId !== null) return false;
        const audience = await leaving.listAudience(personId);
        await send({ kind: "departure", by, audience });
        return false;
      },
    },
    {
      name: "signatures",
      run: ({ personId }, limit) => deleteSomeSignaturesOf(db, personId, limit),
    },
  ];
}

/** All deliveries have ended by then, successfully or not. */
export const AFTER_DELIVERIES_MS = DELIVERY_LIFETIME_MS + 2 * 24 * 3_600_000;

/** Deletes the keys once no notification is pending. */
export function createLastLeavingSteps({
  db,
  accounts,
  people,
}: {
  readonly db: Db;
  readonly accounts: Accounts;
  readonly people: People;
}): LeavingStep[] {
  return [
    {
      name: "sent",
      run: ({ personId }, limit) =>
        db.transaction(
          async (tx) => (await deleteSomeSentBy(tx, personId, limit)) > 0,
        ),
    },
    {
      name: "keys",
      run: async ({ userId, personId }) => {
        const person = await people.find({ id: personId });
        // The key of a moved person still decrypts messages to the old address.
        if (userId !== null && person?.movedToId == null)
          await accounts.forgetKeys(userId);
        return false;
      },
    },
  ];
}
