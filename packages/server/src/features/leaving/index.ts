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
export { createLeavingSteps, type LeavingStepsDeps } from "./steps.ts";

export type LeavingDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly accounts: Accounts;
  readonly people: People;
};

/** Deletion of accounts, local and remote, with all of their content. */
export type Leaving = ReturnType<typeof createLeaving>;

export function createLeaving({ db, jobs, accounts, people }: LeavingDeps) {
  return {
    /**
     * Deletes a user's own account. Immediately disables sign-in and empties the profile;
     * jobs do the rest.
     * @param from the network the request comes from, if known
     * @throws {KithError} `unauthorized` for a wrong password, `too_many_requests` for many
     * of them
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
    /** A remote account was deleted: deletes its content from this server as well. */
    receive: (personId: PersonId): Promise<void> =>
      db.transaction(async (tx) => {
        const person = await people.find({ id: personId }, tx);
        // Also for a person who is suspended here.
        if (!person || person.state === "closed" || person.userId !== null)
          return;
        await people.close(tx, personId);
        await enqueueLeave(jobs, tx, personId);
      }),
    /**
     * Deletes the rest of a person who has moved with all content. Sends no retractions,
     * since the account was not deleted.
     */
    clearUp: (tx: Tx, personId: PersonId) =>
      enqueueLeave(jobs, tx, personId, FIRST_OF_FEATURES),
    /** All remote people who may have received something by this person. */
    listAudience: (personId: PersonId) =>
      listClosureRecipients(db.read, personId),
  };
}
