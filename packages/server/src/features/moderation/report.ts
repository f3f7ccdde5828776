import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";

/** The category of a report: Mastodon's names, so that its clients can send one. */
export const CATEGORIES = ["spam", "legal", "violation", "other"] as const;
export type Category = (typeof CATEGORIES)[number];

export type TargetKind = "person" | "post" | "comment";

/** A report to the moderators of this server, by a local person or a remote server. */
export type Report = {
  readonly id: number;
  readonly guid: string;
  /** The server it came from, which keeps its reporters to itself. */
  readonly host: string;
  /** The local reporter; null for a remote report, and once the account is deleted. */
  readonly reporterId: PersonId | null;
  /** The reported person, if it is about one. */
  readonly personId: PersonId | null;
  readonly targetKind: TargetKind;
  /** Of the post or comment. */
  readonly targetGuid: string | null;
  /**
   * The reported text at the time; null for a person, and for a remote report of something
   * that is not public.
   */
  readonly evidence: string | null;
  /** Ids of all local people and posts that a remote report names. */
  readonly objects: readonly string[];
  /** Plain text. */
  readonly text: string;
  readonly category: Category;
  /** Was it forwarded to the reported person's server, in the name of this server? */
  readonly forwarded: boolean;
  readonly createdAt: Timestamp;
  /** The username of the moderator it is assigned to. */
  readonly assignee: string | null;
  /** The resolution; null while it is open. */
  readonly resolution: string | null;
  readonly resolver: string | null;
  readonly resolvedAt: Timestamp | null;
};

/** An internal note by a moderator on a report. */
export type ReportNote = {
  readonly id: number;
  readonly author: string;
  readonly text: string;
  readonly createdAt: Timestamp;
};

/** In code points. */
export const MAX_REPORT_LENGTH = 5_000;
export const MAX_NOTE_LENGTH = 2_000;
