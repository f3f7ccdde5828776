import type { StoredDraft } from "../../db/schema/schema-drafts.ts";
import { later, timestamp, type Timestamp } from "../../lib/time/clock.ts";
import type { DraftId, UserId } from "../ids.ts";

/** The input of `POST /posts`, as its author wrote and chose it. */
export type DraftContent = StoredDraft;

/** The longest poll of a program that chooses a duration, in seconds: a year. */
export const MAX_POLL_DURATION_S = 31_536_000;

type DraftPoll = NonNullable<DraftContent["poll"]>;

/** The poll of a draft that is published at a time. A duration counts from then on. */
export const pollPublishedAt = (
  poll: DraftPoll,
  publishedAt: Date,
): DraftPoll =>
  poll.durationS === undefined
    ? poll
    : {
        ...poll,
        endsAt: timestamp(later(publishedAt, poll.durationS * 1_000)),
      };

/** A post that only its author knows, until it is published. */
export type Draft = {
  readonly id: DraftId;
  readonly userId: UserId;
  readonly content: DraftContent;
  /** When it is published by itself; null if it waits for its author. */
  readonly publishAt: Timestamp | null;
  /** Why it was not published at its time: a sentence for its author. */
  readonly failedReason: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export const MAX_DRAFTS = 100;
/** Of the whole content, as JSON, in UTF-16 units. */
export const MAX_DRAFT_LENGTH = 200_000;
const DAY_MS = 24 * 3_600_000;
/** How far ahead a post can be scheduled. */
export const MAX_AHEAD_MS = 2 * 365 * DAY_MS;
