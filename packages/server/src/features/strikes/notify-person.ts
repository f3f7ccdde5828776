import type { Tx } from "../../db/db.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { AccountMailKind, Mails } from "../mail/index.ts";
import {
  storeWithin,
  type StoreNotificationDeps,
} from "../notifications/index.ts";
import type { People } from "../people/index.ts";
import { findStrike } from "./strike-queries.ts";
import type { Strike } from "./strike.ts";

/** The job that notifies a person of a decision about it, or about its appeal. */
export const NOTIFY_OF_STRIKE = jobKind<{ readonly strikeId: number }>(
  "notify-of-strike",
);

export type NotifyPersonDeps = {
  readonly jobs: Pick<Jobs, "enqueue">;
  readonly mails: Pick<Mails, "notifyAccount">;
  readonly people: Pick<People, "find">;
};

/** Enqueues the notification and the mail, in the transaction of the decision. */
export async function notifyPerson(
  { jobs, mails, people }: NotifyPersonDeps,
  tx: Tx,
  { id, personId }: Pick<Strike, "id" | "personId">,
  kind: Extract<
    AccountMailKind,
    "appeal_accepted" | "appeal_rejected" | "strike"
  >,
): Promise<void> {
  const person = await people.find({ id: personId }, tx);
  if (person?.userId == null) return;
  await jobs.enqueue(tx, NOTIFY_OF_STRIKE, { strikeId: id });
  await mails.notifyAccount(tx, person.userId, kind);
}

/**
 * The handler of {@link NOTIFY_OF_STRIKE}. A suspended person is notified once it is back, and
 * by mail: it is not signed in.
 */
export function createNotifyOfStrike(
  deps: StoreNotificationDeps & { readonly people: Pick<People, "find"> },
): JobHandler<{ readonly strikeId: number }> {
  return async ({ strikeId }) => {
    await deps.db.transaction(async (tx) => {
      const strike = await findStrike(tx, strikeId);
      if (!strike) return;
      const person = await deps.people.find({ id: strike.personId }, tx);
      if (person?.state !== "active" || person.userId === null) return;
      await storeWithin(deps, tx, {
        selfId: person.id,
        notification: {
          userId: person.userId,
          // The moderator stays unnamed, and a notification is by a person: by its reader.
          personId: person.id,
          reason: "moderation",
          shareableType: "Strike",
          shareableGuid: strike.guid,
        },
      });
    });
    return DONE;
  };
}
