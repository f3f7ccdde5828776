import type { RemoteFile } from "./columns/remote-file.ts";
import type { ColumnType, Generated } from "kysely";
import type { JsonText } from "./columns/json-text.ts";
import type { AspectId, PersonId, PostId, UserId } from "./ids.ts";

/** RFC 3339 in UTC with milliseconds. */
type Time = string;
/** A boolean: `boolean` on PostgreSQL, 0 or 1 on SQLite. */
type Flag = ColumnType<boolean | number, boolean, boolean>;

/** The decisions about one person; the state that also follows from its host is stored with the person. */
export type PersonDecisionsTable = {
  person_id: PersonId;
  suspended: Flag;
  suspension_reason: string;
  suspended_at: Time | null;
  silenced: Flag;
  silence_reason: string;
  silenced_at: Time | null;
};

type TargetKind = "person" | "post" | "comment";
type Category = "spam" | "legal" | "violation" | "other";

export type ReportsTable = {
  id: Generated<number>;
  guid: string;
  /** Of the server that it came from: this one, where somebody here has reported. */
  host: string;
  /** The first person here, or known here, whom it is about. */
  person_id: PersonId | null;
  /** Ids of the posts and people that it names. */
  objects: JsonText<readonly string[]>;
  text: string;
  created_at: Time;
  /** The local person who reported; null for reports from elsewhere, and once that person has left. */
  reporter_id: ColumnType<
    PersonId | null,
    PersonId | undefined,
    PersonId | null
  >;
  target_kind: ColumnType<TargetKind, TargetKind | undefined, TargetKind>;
  target_guid: ColumnType<string | null, string | undefined, string | null>;
  /** The text that was reported, as it was then. */
  evidence: ColumnType<string | null, string | null | undefined, string | null>;
  category: ColumnType<Category, Category | undefined, Category>;
  /** Was the server of whom it is about told, without a name? */
  forwarded: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The moderator who has taken it, by username. */
  assignee: ColumnType<string | null, string | undefined, string | null>;
  /** The action taken; null while it is open. */
  resolution: ColumnType<string | null, string | undefined, string | null>;
  resolver: ColumnType<string | null, string | undefined, string | null>;
  resolved_at: ColumnType<Time | null, Time | undefined, Time | null>;
};

/** Notes that moderators write beside a report, for each other. */
export type ReportNotesTable = {
  id: Generated<number>;
  report_id: number;
  /** A username, as it was then. */
  author: string;
  text: string;
  created_at: Time;
};

/** A mail domain, a mail address or a network that is kept from signing up. */
export type BansTable = {
  id: Generated<number>;
  kind: "mail_domain" | "mail_address" | "network";
  /** A domain, the hash of an address, or a range of addresses. */
  value: string;
  severity: "approval" | "no_sign_ups" | "no_access";
  comment: string;
  created_at: Time;
  expires_at: Time | null;
};

export type StrikeAction =
  "warn" | "silence" | "suspend" | "remove_post" | "remove_comment";

/** A decision about a person here, for that person, with its appeal. */
export type StrikesTable = {
  id: Generated<number>;
  guid: string;
  person_id: PersonId;
  action: StrikeAction;
  /** In the moderators' words, for the person. */
  message: string;
  /** The beginning of the removed text. */
  excerpt: string | null;
  created_at: Time;
  /** When a moderator took it back. */
  ended_at: ColumnType<Time | null, Time | undefined, Time | null>;
  appeal: ColumnType<string | null, string | undefined, string | null>;
  appealed_at: ColumnType<Time | null, Time | undefined, Time | null>;
  decided_at: ColumnType<Time | null, Time | undefined, Time | null>;
  accepted: ColumnType<
    boolean | number | null,
    boolean | undefined,
    boolean | null
  >;
};

/** The writings and new follows of new accounts, of the last day. */
export type NewcomerActsTable = {
  id: Generated<number>;
  user_id: UserId;
  kind: "follow" | "write";
  at: Time;
};

type SpamAction = "hold" | "note" | "report" | "refuse";

/** A rule for what other servers send and new accounts write; null: it does not ask. */
export type SpamRulesTable = {
  id: Generated<number>;
  name: string;
  phrase: string | null;
  link_host: string | null;
  mentions: number | null;
  known_days: number | null;
  no_contact: Flag;
  action: SpamAction;
  is_on: Flag;
  created_at: Time;
  updated_at: Time;
};

/** Hits of rules, without any text, for 30 days. */
export type SpamHitsTable = {
  id: Generated<number>;
  /** As the rule was called then; it may be gone. */
  rule: string;
  person_id: PersonId;
  kind: "post" | "comment";
  /** The address of the thing, or its Guid where it has none. */
  thing: string;
  action: SpamAction;
  at: Time;
};

/** The audience that a post gets once it is approved. */
export type HeldAudience = {
  readonly public: boolean;
  readonly listed: boolean;
  readonly limitedTo:
    "followers" | "all_aspects" | "aspects" | "people" | "self" | null;
  readonly aspects: readonly {
    readonly id: AspectId;
    readonly name: string;
  }[];
  /** The people who then see a limited post, beside its author. */
  readonly recipients: readonly PersonId[];
};

/** A comment that is stored nowhere else. */
export type HeldComment = {
  readonly text: string;
  readonly warning: string | null;
  readonly language: string | null;
  readonly emojis: readonly {
    readonly shortcode: string;
    readonly url: string;
  }[];
  readonly parentGuid: string | null;
  /** As its author's server says; null for one by somebody here. */
  readonly createdAt: Time | null;
  readonly updatedAt: Time | null;
  /** People mentioned outside the text; null if their server names none. */
  readonly mentioned: readonly PersonId[] | null;
  /** Its files on its author's server. */
  readonly photos: readonly RemoteFile[];
};

/** A text that waits for a moderator. */
export type HeldTextsTable = {
  id: Generated<number>;
  kind: "post" | "comment";
  guid: string;
  /** Of a comment from elsewhere, its ActivityPub id. */
  uri: string | null;
  person_id: PersonId;
  /** The post that waits, or that a comment is on. */
  post_id: PostId;
  /** The name of the rule that held it. */
  rule: string;
  /** Of a post. */
  audience: JsonText<HeldAudience> | null;
  comment: JsonText<HeldComment> | null;
  created_at: Time;
};
