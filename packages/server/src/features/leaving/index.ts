import type { Db, Tx } from "../../db/db.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Accounts, SignedIn } from "../accounts/index.ts";
import type { PersonId } from "../ids.ts";
import type { People } from "../people/index.ts";
import { listClosureRecipients } from "./audience-queries.ts";
import { enqueueLeave } from "./leave-job.ts";
import { FIRST_OF_FEATURES } from "./steps.ts";

export {
  createLeave,
  LEAVE,
  repeatSteps,
  type LeavingStep,
} from "./leave-job.ts";
export { createLeavingSteps } from "./steps.ts";

export type LeavingDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly accounts: Accounts;
  readonly people: People;
};

/** People who leave, from here or elsewhere, and everything of theirs with them. */
export type Leaving = ReturnType<typeof createLeaving>;

export function createLeaving({ db, jobs, accounts, people }: LeavingDeps) {
  return {
    /**
     * Deletes one's own account. At once nobody signs in any more and the profile
     * is empty; the rest follows in jobs.
     * @param from the network it comes from, if any
     * @throws {KithError} `unauthorized` for a wrong password, `too_many_requests` for many of them
     */
    leave: async (
      user: SignedIn,
      password: string,
      from?: string,
    ): Promise<void> => {
      const proven = await accounts.provePassword(user, password, from);
      await db.transaction(async (tx) => {
        await accounts.close(tx, proven);
        await people.close(tx, user.personId);
        await enqueueLeave(jobs, tx, user.personId);
      });
    },
    /** Somebody from elsewhere has left: what it made goes from here as well. */
    receive: (personId: PersonId): Promise<void> =>
      db.transaction(async (tx) => {
        const person = await people.find({ id: personId }, tx);
        // Also of somebody who is suspended here.
        if (!person || person.state === "closed" || person.userId !== null)
          return;
        await people.close(tx, personId);
        await enqueueLeave(jobs, tx, personId);
      }),
    /**
     * Somebody has moved, and what could go with it has gone: what is left here
     * goes as well. Nobody is told that anybody has left.
     */
    clearUp: (tx: Tx, personId: PersonId) =>
      enqueueLeave(jobs, tx, personId, FIRST_OF_FEATURES),
    /** Everybody elsewhere who may have something of this person. */
    listAudience: (personId: PersonId) =>
      listClosureRecipients(db.read, personId),
  };
}
