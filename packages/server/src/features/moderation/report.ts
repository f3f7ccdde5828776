import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";

/** What a report is about: Mastodon's names, so that its programs can make one. */
export const CATEGORIES = ["spam", "legal", "violation", "other"] as const;
export type Category = (typeof CATEGORIES)[number];

export type TargetKind = "person" | "post" | "comment";

/** What somebody here or elsewhere told the moderators of this server. */
export type Report = {
  readonly id: number;
  readonly guid: string;
  /** Of the server that it came from; who there has reported is its own business. */
  readonly host: string;
  /** Who here has reported; null for what came from elsewhere, and once it has left. */
  readonly reporterId: PersonId | null;
  /** Whom it is about, where that is a person. */
  readonly personId: PersonId | null;
  readonly targetKind: TargetKind;
  /** Of the post or comment. */
  readonly targetGuid: string | null;
  /** The reported text as it was then; null for a person, and for what not everybody may see from elsewhere. */
  readonly evidence: string | null;
  /** Ids of all the people and posts here that a report from elsewhere names. */
  readonly objects: readonly string[];
  /** Plain text. */
  readonly text: string;
  readonly category: Category;
  /** Was the server of whom it is about told, in the name of this server? */
  readonly forwarded: boolean;
  readonly createdAt: Timestamp;
  /** The moderator who has taken it, by username. */
  readonly assignee: string | null;
  /** What was done; null while it is open. */
  readonly resolution: string | null;
  readonly resolver: string | null;
  readonly resolvedAt: Timestamp | null;
};

/** What moderators note beside a report, for each other. */
export type ReportNote = {
  readonly id: number;
  readonly author: string;
  readonly text: string;
  readonly createdAt: Timestamp;
};

/** Code points. */
export const MAX_REPORT_LENGTH = 5_000;
export const MAX_NOTE_LENGTH = 2_000;
