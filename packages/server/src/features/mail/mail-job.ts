import { jobKind, recurringKind } from "../../jobs/job.ts";
import type { NotificationId, UserId } from "../ids.ts";
import type { StaffMailKind } from "./mail-settings.ts";

/** Mails about the account itself. */
export const ACCOUNT_MAILS = [
  ...(["confirm", "address_changed", "reset", "password_changed"] as const),
  ...(["strike", "appeal_accepted", "appeal_rejected"] as const),
] as const;
export type AccountMailKind = (typeof ACCOUNT_MAILS)[number];

export type AccountMail = {
  readonly kind: AccountMailKind;
  readonly to: string;
  /** Of the link; empty in mails without one. */
  readonly token: string;
};

type MailJob =
  /** Sealed: the queue is shown to operators, and tokens open accounts. */
  | {
      readonly type: "account";
      readonly userId: UserId;
      readonly sealed: string;
    }
  | {
      readonly type: "notice";
      readonly userId: UserId;
      readonly notificationId: NotificationId;
    }
  /** The notifications after an id, up to another one. */
  | {
      readonly type: "digest";
      readonly userId: UserId;
      readonly afterId: number;
      readonly upToId: number;
    }
  | {
      readonly type: "staff";
      readonly userId: UserId;
      readonly about: StaffMailKind;
    };

/** The job for one mail. */
export const MAIL = jobKind<MailJob>("mail", { pool: "delivery" });

/** The job that looks up who gets a new password, if anybody. */
export const RESET_MAIL = jobKind<{ readonly sealed: string }>("reset-mail");

/** The job that begins the digests that are due. */
export const MAIL_DIGESTS = recurringKind("mail-digests");

/** No remote server has this name: all mails depend on one mail server. */
export const MAIL_HOST = "smtp:";
