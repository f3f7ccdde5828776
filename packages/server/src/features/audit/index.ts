import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Page } from "../page.ts";
import { insertAct, listActs, type Act } from "./audit-store.ts";

export type { Act } from "./audit-store.ts";

/** The person who performs an action; null for the command line. */
export type Doer = {
  readonly userId: UserId;
  readonly username: string;
} | null;

/** Administrative actions, as the audit log names them. */
export type Action =
  | "account.approve"
  | "account.create"
  | "account.end_sessions"
  | "account.reject"
  | "account.reset_password"
  | "account.reset_second_factor"
  | "account.set_role"
  | "announcement.publish"
  | "announcement.withdraw"
  | "appeal.accept"
  | "appeal.reject"
  | "ban.lift"
  | "ban.set"
  | "held_text.approve"
  | "held_text.refuse"
  | "host.allow"
  | "host.block"
  | "host.forgive"
  | "host.reject_media"
  | "host.silence"
  | "host_list.import"
  | "host_list.undo"
  | "invitation.create"
  | "invitation.revoke"
  | "person.silence"
  | "person.suspend"
  | "person.unsilence"
  | "person.unsuspend"
  | "person.warn"
  | "queue.drop"
  | "queue.retry"
  | "relay.add"
  | "relay.remove"
  | "report.assign"
  | "report.note"
  | "report.remove"
  | "report.reopen"
  | "report.resolve"
  | "report.unassign"
  | "server.describe"
  | "spam_rule.delete"
  | "spam_rule.set"
  | "spam_rule.switch_off"
  | "spam_rule.switch_on";

/** Cannot be a username: it contains a space. */
/** The name of whoever acts by the command line; no username has a space. */
export const COMMAND_LINE = "command line";

/** Returns the name under which an actor is recorded. */
export function nameOfDoer(by: Doer): string {
  return by?.username ?? COMMAND_LINE;
}

const MAX_TARGET_LENGTH = 500;
const MAX_DETAILS_LENGTH = 2_000;

/** Records which administrator or moderator did what, and when. */
export type Audit = ReturnType<typeof createAudit>;

export function createAudit({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}) {
  return {
    /**
     * Records an action in the same transaction as the action, so that neither exists
     * without the other. The row outlives the actor's account on purpose: actions against
     * others must not vanish with the account.
     * @param act its `target` is a handle, a username, a host or an id, its `details` a
     *   few plain words: never content with a limited audience
     */
    recordAct: (
      tx: Tx,
      act: {
        readonly by: Doer;
        readonly action: Action;
        readonly target: string;
        readonly details?: string;
      },
    ): Promise<void> =>
      insertAct(tx, {
        at: timestamp(clock.now()),
        byUserId: act.by?.userId ?? null,
        byName: nameOfDoer(act.by),
        action: act.action,
        target: storableText(act.target.slice(0, MAX_TARGET_LENGTH)),
        details: storableText((act.details ?? "").slice(0, MAX_DETAILS_LENGTH)),
      }),
    /** Lists actions, newest first. */
    list: (page: Page): Promise<Act[]> => listActs(db.read, page),
  };
}
