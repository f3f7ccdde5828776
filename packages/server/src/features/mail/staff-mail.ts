import type { Tx } from "../../db/db.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { later, type Clock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import { MAIL, MAIL_HOST } from "./mail-job.ts";
import { STAFF_OF, type StaffMailKind } from "./mail-settings.ts";

/** Tells those who run the server, of whom most features know nothing else. */
export type StaffMail = {
  /** Enqueues mails in the transaction in which it happens. */
  notify(tx: Tx, about: StaffMailKind): Promise<void>;
};

/** One mail is about everything that happens within this time. */
const WAIT_MS = 60_000;

export function createStaffMail({
  jobs,
  clock,
  isEnabled,
}: {
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly isEnabled: boolean;
}): StaffMail {
  return {
    notify: async (tx, about) => {
      if (!isEnabled) return;
      for (const userId of await listStaff(tx, about))
        await jobs.enqueueUnlessWaiting(
          tx,
          MAIL,
          { type: "staff", userId, about },
          {
            lane: `mail:${about}:${userId}`,
            host: MAIL_HOST,
            runAt: later(clock.now(), WAIT_MS),
          },
        );
    },
  };
}

/** Those who want it, may see it and can be reached. */
async function listStaff(tx: Tx, about: StaffMailKind): Promise<UserId[]> {
  const rows = await tx
    .selectFrom("mail_addresses")
    .innerJoin("users", "users.id", "mail_addresses.user_id")
    .select(["users.id", "mail_addresses.staff_kinds"])
    .where(
      "users.role",
      "in",
      STAFF_OF[about] === "admin" ? ["admin"] : ["moderator", "admin"],
    )
    .where("users.state", "=", "active")
    .where("mail_addresses.address", "is not", null)
    .where("mail_addresses.bounced_at", "is", null)
    .orderBy("users.id")
    .execute();
  return rows
    .filter(({ staff_kinds: kinds }) => loadJson(kinds).includes(about))
    .map(({ id }) => id);
}
