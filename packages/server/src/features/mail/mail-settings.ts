import type {
  MailFrequency,
  StaffMailKind,
} from "../../db/schema/schema-mail.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { Role } from "../accounts/index.ts";
import type { NotificationKind } from "../notifications/index.ts";

export type { MailFrequency, StaffMailKind };

export const MAIL_FREQUENCIES = [
  ...(["never", "at_once", "daily", "weekly"] as const),
] as const satisfies readonly MailFrequency[];

export const STAFF_MAIL_KINDS = [
  ...(["report", "appeal", "held", "sign_up", "backup"] as const),
] as const satisfies readonly StaffMailKind[];

/** The people to whom each kind may be sent: those who can do something about it. */
export const STAFF_OF = {
  report: "moderator",
  appeal: "moderator",
  held: "moderator",
  sign_up: "moderator",
  backup: "admin",
} as const satisfies Record<StaffMailKind, Role>;

/** The mails that a user wants. */
export type MailChoices = {
  /** How often notifications are sent. */
  readonly frequency: MailFrequency;
  /** The kinds of notifications that are sent. */
  readonly kinds: readonly NotificationKind[];
  /** Mails about running the server, for those who do. */
  readonly staffKinds: readonly StaffMailKind[];
};

/** The address of a user and the choices about it, for the user and admins alone. */
export type MailSettings = MailChoices & {
  /** The confirmed one; null if there is none. */
  readonly address: string | null;
  /** When a mail server said that no mail reaches it; nothing is sent then. */
  readonly bouncedAt: Timestamp | null;
  /** The one that is not confirmed yet. */
  readonly wanted: {
    readonly address: string;
    /** Its link has ended, or no mail reaches it. */
    readonly hasEnded: boolean;
  } | null;
};

/** Nobody is sent anything without having chosen it. */
export const DEFAULT_MAIL_CHOICES: MailChoices = {
  frequency: "never",
  kinds: [
    ...(["comment", "mention", "message"] as const),
    ...(["follower", "follow_request", "event"] as const),
  ],
  staffKinds: [],
};

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** How long the link to confirm an address is valid. */
export const CONFIRM_WITHIN_MS = DAY_MS;
/** How long the link to a new password is valid. */
export const RESET_WITHIN_MS = HOUR_MS;

/** The time between two digests; undefined if there are none. */
export function digestPeriodMs(frequency: MailFrequency): number | undefined {
  if (frequency === "daily") return DAY_MS;
  return frequency === "weekly" ? 7 * DAY_MS : undefined;
}
