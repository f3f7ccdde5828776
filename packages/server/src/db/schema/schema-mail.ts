import type { JsonText } from "./columns/json-text.ts";
import type { NotificationKind } from "./columns/notification-choice.ts";
import type { UserId } from "./ids.ts";

/** How often notifications are sent by mail. */
export type MailFrequency = "at_once" | "daily" | "weekly" | "never";

/** The kinds of mails to people who run the server. */
export type StaffMailKind = "report" | "appeal" | "held" | "sign_up" | "backup";

/** A user without a row has no address. */
export type MailAddressesTable = {
  user_id: UserId;
  /** The confirmed one. */
  address: string | null;
  address_key: string | null;
  confirmed_at: string | null;
  /** When a mail server said that nothing reaches the address; nothing is sent then. */
  bounced_at: string | null;
  /** The one that waits for its confirmation, with the hash of its token. */
  wanted_address: string | null;
  wanted_hash: string | null;
  wanted_until: string | null;
  frequency: MailFrequency;
  kinds: JsonText<readonly NotificationKind[]>;
  staff_kinds: JsonText<readonly StaffMailKind[]>;
  /** When the next digest is due; null without one. */
  digest_at: string | null;
  /** The newest notification of the last digest. */
  digest_after_id: number;
  updated_at: string;
};

export type PasswordResetsTable = {
  token_hash: string;
  user_id: UserId;
  /** The token ends with the address to which it was sent. */
  address_key: string;
  expires_at: string;
};

export type MailTables = {
  mail_addresses: MailAddressesTable;
  password_resets: PasswordResetsTable;
};
