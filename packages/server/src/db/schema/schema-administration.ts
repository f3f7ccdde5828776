import type { ColumnType, Generated } from "kysely";
import type { StatisticName } from "./columns/statistic-name.ts";
import type { AnnouncementId, InvitationId, UserId } from "./ids.ts";

/** RFC 3339 in UTC with milliseconds. */
type Time = string;

/** Never changed, and kept when the account of whoever did it is gone. */
export type AuditLogTable = {
  id: Generated<number>;
  at: Time;
  /** null: by the command line. */
  by_user_id: UserId | null;
  by_name: string;
  /** Such as `account.approve`. */
  action: string;
  /** A handle, a username, a host or an id. */
  target: string;
  details: string;
};

export type InvitationsTable = {
  id: Generated<InvitationId>;
  /** SHA-256 in hex: whoever reads the database can invite nobody. */
  code_hash: string;
  /** null: by the command line. */
  by_user_id: UserId | null;
  by_name: string;
  max_uses: number;
  uses: number;
  created_at: Time;
  expires_at: Time;
  revoked_at: Time | null;
};

export type AnnouncementsTable = {
  id: Generated<AnnouncementId>;
  /** Markdown. */
  text: string;
  starts_at: Time | null;
  ends_at: Time | null;
  created_at: Time;
};

export type DismissedAnnouncementsTable = {
  id: Generated<number>;
  user_id: UserId;
  announcement_id: AnnouncementId;
  created_at: Time;
};

export type AnnouncementReactionsTable = {
  id: Generated<number>;
  announcement_id: AnnouncementId;
  user_id: UserId;
  emoji: string;
  created_at: Time;
};

/** A number of one hour, day or month, see `features/statistics`. */
export type StatisticsTable = {
  name: StatisticName;
  span: "hour" | "day" | "month";
  /** When the span begins, in UTC. */
  at: Time;
  value: number;
};

/** The deliveries to a server on one day of UTC. */
export type HostDeliveriesTable = {
  host: string;
  /** `YYYY-MM-DD` */
  day: string;
  delivered: number;
  failed: number;
};

/** The description of the server: one row, with the id 1. */
export type ServerProfileTable = {
  id: number;
  name: string;
  /** Markdown. */
  description: string;
  /** Markdown. */
  rules: string;
  /** null: as the configuration says. */
  registration: "open" | "approval" | "closed" | null;
  /** Markdown. */
  joining: string;
  /** Markdown. */
  terms: string;
  /** Markdown. */
  privacy: string;
  /** The username of the account that runs the server. */
  contact: string;
  contact_mail: string;
  /** Where nothing else decides; empty for English. */
  language: string;
  /** `#rrggbb`, or empty. */
  accent_light: string;
  accent_dark: string;
  /** CSS. */
  style: string;
  /** For how many days an account is new; 0: there are no limits for new accounts. */
  newcomer_days: Generated<number>;
  /** Posts and comments a day; 0: no limit. */
  newcomer_posts: Generated<number>;
  /** People a day; 0: no limit. */
  newcomer_follows: Generated<number>;
  /** May new accounts write links? */
  newcomer_links: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** In years; 0: any. */
  min_age: Generated<number>;
  /** Empty without a picture. */
  picture_guid: Generated<string>;
  picture_type: Generated<string>;
  picture_width: Generated<number>;
  picture_height: Generated<number>;
  /** When the texts last changed; null if never since this is known. */
  description_at: Time | null;
  terms_at: Time | null;
  privacy_at: Time | null;
  updated_at: Time;
};
