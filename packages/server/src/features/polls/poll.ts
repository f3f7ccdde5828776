import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, PollId, PollVoteId, PostId } from "../ids.ts";

/**
 * A question attached to a post, and its possible answers. Everyone who may see the post
 * may vote.
 */
export type Poll = {
  readonly id: PollId;
  readonly guid: string;
  readonly postId: PostId;
  /** Plain text, as are the answers. */
  readonly question: string;
  /** May a person choose more than one answer? */
  readonly multiple: boolean;
  readonly endsAt: Timestamp | null;
  /** Are the votes for each answer shown only after the end? */
  readonly hidesTotals: boolean;
  /** The number of voters if a remote server counts the votes; else null. */
  readonly reportedVoters: number | null;
  /** In the author's order. */
  readonly answers: readonly PollAnswer[];
};

export type PollAnswer = {
  readonly id: number;
  readonly guid: string;
  readonly text: string;
  /** The remote count; null if the votes are counted here. */
  readonly reportedVotes: number | null;
};

export type NewPoll = {
  readonly guid: string;
  readonly question: string;
  readonly multiple: boolean;
  readonly endsAt: Timestamp | null;
  readonly hidesTotals?: boolean;
  /** If a remote server counts the votes. */
  readonly reportedVoters?: number | null;
  readonly answers: readonly NewAnswer[];
};

export type NewAnswer = {
  readonly guid: string;
  readonly text: string;
  readonly reportedVotes?: number | null;
};

/** A poll with its votes so far. */
export type PollResult = {
  readonly poll: Poll;
  /**
   * By answer id; omits answers without votes. null while they are hidden, from the author as
   * well.
   */
  readonly votes: ReadonlyMap<number, number> | null;
  /** The votes for all answers together, which are never hidden. */
  readonly allVotes: number;
  /** The number of voters. */
  readonly voters: number;
  /** Guids of the answers that the viewer chose. */
  readonly ownVotes: readonly string[];
};

/** One person's choice of one answer. */
export type PollVote = {
  readonly id: PollVoteId;
  readonly guid: string;
  readonly pollId: PollId;
  readonly answerGuid: string;
  readonly personId: PersonId;
};

/** diaspora*'s limit for questions and answers, in code points. */
export const MAX_POLL_TEXT_LENGTH = 255;
export const MIN_ANSWERS = 2;
export const MAX_ANSWERS = 20;

export function hasEnded({ endsAt }: Poll, now: Timestamp): boolean {
  return endsAt !== null && endsAt <= now;
}

/** Are the votes for each answer hidden from everyone for now? */
export function areTotalsHidden(poll: Poll, now: Timestamp): boolean {
  return poll.hidesTotals && !hasEnded(poll, now);
}

/** Do the votes for one poll hold for the other? */
export function isSamePoll(poll: Poll, other: NewPoll): boolean {
  return (
    poll.multiple === other.multiple &&
    poll.answers.length === other.answers.length &&
    poll.answers.every(({ text }, at) => text === other.answers[at]?.text)
  );
}
