import type { StrikeAction } from "../../db/schema/schema-moderation.ts";
import { later, type Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";

export type { StrikeAction };

/** The words of a person against a decision about it. */
export type Appeal = {
  /** Plain text. */
  readonly text: string;
  readonly appealedAt: Timestamp;
  /** null while it is open. */
  readonly decidedAt: Timestamp | null;
  readonly accepted: boolean | null;
};

/**
 * A decision of the moderators about a person here, as that person reads it: without the
 * moderator, the reporter and the notes for moderators.
 */
export type Strike = {
  readonly id: number;
  readonly guid: string;
  readonly personId: PersonId;
  readonly action: StrikeAction;
  /** In the moderators' words; plain text, and may be empty. */
  readonly message: string;
  /** The beginning of the removed text. */
  readonly excerpt: string | null;
  readonly createdAt: Timestamp;
  /** When it was taken back; null while it is in force. */
  readonly endedAt: Timestamp | null;
  readonly appeal: Appeal | null;
};

/** In code points. */
export const MAX_MESSAGE_LENGTH = 1_000;
export const MAX_APPEAL_LENGTH = 2_000;
export const MAX_EXCERPT_LENGTH = 500;

/** As long as Mastodon's. */
const APPEAL_WITHIN_MS = 20 * 86_400_000;

/** Until when a decision can be appealed. */
export function appealableUntil({ createdAt }: Strike): Date {
  return later(new Date(createdAt), APPEAL_WITHIN_MS);
}

/** Once for each decision, while it is in force and within the term. */
export function canAppeal(strike: Strike, now: Date): boolean {
  return (
    strike.appeal === null &&
    strike.endedAt === null &&
    now < appealableUntil(strike)
  );
}
