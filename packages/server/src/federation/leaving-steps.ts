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
  readonly tell: (outgoing: Outgoing) => Promise<void>;
};

/** While it is still known who has something of the person, everybody is told that it has left. */
export function createFirstLeavingSteps(deps: FirstStepsDeps): LeavingStep[] {
  const { db, people, leaving, tell } = deps;
  return [
    {
      name: "tell",
      run: async ({ personId, userId }) => {
        const by = await people.find({ id: personId });
        if (!by || userId === null || by.movedToId !== null) return false;
        const audience = await leaving.listAudience(personId);
        await tell({ kind: "departure", by, audience });
        return false;
      },
    },
    {
      name: "signatures",
      run: ({ personId }, limit) => deleteSomeSignaturesOf(db, personId, limit),
    },
  ];
}

/** The last delivery has ended by then, one way or the other. */
export const AFTER_DELIVERIES_MS = DELIVERY_LIFETIME_MS + 2 * 24 * 3_600_000;

/** What was needed to tell the others goes once nobody waits to be told. */
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
        // With its key it is read who still writes to somebody who has moved.
        if (userId !== null && person?.movedToId == null)
          await accounts.forgetKeys(userId);
        return false;
      },
    },
  ];
}
