import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import { storableText } from "../../lib/well-formed.ts";
import {
  insertAct,
  listActs,
  type Act,
  type WhichActs,
} from "./audit-store.ts";

export type { Act } from "./audit-store.ts";

/** Who does something; null: whoever sits at the command line. */
export type Doer = {
  readonly userId: UserId;
  readonly username: string;
} | null;

/** What those who run this server can do, as the log calls it. */
export type Action =
  | "account.approve"
  | "account.create"
  | "account.end_sessions"
  | "account.reject"
  | "account.reset_password"
  | "account.reset_second_factor"
  | "account.set_role"
  | "host.allow"
  | "host.block"
  | "host.forgive"
  | "host.reject_media"
  | "host.silence"
  | "invitation.create"
  | "invitation.revoke"
  | "person.silence"
  | "person.suspend"
  | "person.unsilence"
  | "person.unsuspend"
  | "queue.drop"
  | "queue.retry"
  | "relay.add"
  | "relay.remove"
  | "report.assign"
  | "report.note"
  | "report.remove"
  | "report.reopen"
  | "report.resolve"
  | "report.unassign";

/** No username: it has a space. */
const COMMAND_LINE = "command line";

/** What somebody is called where it is kept as text. */
export function nameOfDoer(by: Doer): string {
  return by?.username ?? COMMAND_LINE;
}

const MAX_TARGET_LENGTH = 500;
const MAX_DETAILS_LENGTH = 2_000;

/** Who of those who run this server did what, and when. */
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
     * Writes down an act, in the transaction of the act itself: neither is there
     * without the other. The row outlives the account of whoever did it, on
     * purpose: what was done to others must not vanish with the one who did it.
     * @param act its `target` is a handle, a username, a host or an id, its
     *   `details` a few plain words: never what somebody wrote for some people only
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
    /** What was done, newest first. */
    list: (which: WhichActs): Promise<Act[]> => listActs(db.read, which),
  };
}
