import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, PollId, PollVoteId, PostId } from "../ids.ts";

/** A question that a post asks, and what may be answered. Who sees the post may vote. */
export type Poll = {
  readonly id: PollId;
  readonly guid: string;
  readonly postId: PostId;
  /** Plain text, as are the answers. */
  readonly question: string;
  /** May a person choose more than one answer? */
  readonly multiple: boolean;
  readonly endsAt: Timestamp | null;
  /** How many people voted, of a poll whose votes are counted elsewhere; else null. */
  readonly toldVoters: number | null;
  /** In the order of their author. */
  readonly answers: readonly PollAnswer[];
};

export type PollAnswer = {
  readonly id: number;
  readonly guid: string;
  readonly text: string;
  /** As they are counted elsewhere; null where they are counted here. */
  readonly toldVotes: number | null;
};

/** A poll that is about to be stored. */
export type NewPoll = {
  readonly guid: string;
  readonly question: string;
  readonly multiple: boolean;
  readonly endsAt: Timestamp | null;
  /** Of a poll whose votes are counted elsewhere. */
  readonly toldVoters?: number | null;
  readonly answers: readonly NewAnswer[];
};

export type NewAnswer = {
  readonly guid: string;
  readonly text: string;
  readonly toldVotes?: number | null;
};

/** A poll with what has been voted so far. */
export type PollResult = {
  readonly poll: Poll;
  /** By the answer's id; an answer without any is left out. */
  readonly votes: ReadonlyMap<number, number>;
  /** How many people voted. */
  readonly voters: number;
  /** Guids of the answers that the viewer chose. */
  readonly ownVotes: readonly string[];
};

/** One answer that one person chose. */
export type PollVote = {
  readonly id: PollVoteId;
  readonly guid: string;
  readonly pollId: PollId;
  readonly answerGuid: string;
  readonly personId: PersonId;
};

/** What a diaspora* server accepts, of questions and answers, in code points. */
export const MAX_POLL_TEXT_LENGTH = 255;
export const MIN_ANSWERS = 2;
export const MAX_ANSWERS = 20;

export function hasEnded({ endsAt }: Poll, now: Timestamp): boolean {
  return endsAt !== null && endsAt <= now;
}
