import { buildNote } from "./build-note.ts";
import type { NoteInput } from "./build-note.ts";
import { membersOf, wholeSeconds } from "./build-parts.ts";
import type { JsonObject } from "../json/json-types.ts";

/** The poll of our post. Options are plain text and unique. */
export type PollInput = {
  multiple: boolean;
  /** Votes are null while the author hides the counts. */
  options: { name: string; votes: number | null }[];
  endTime?: string;
  /** The time when the poll was closed. */
  closed?: string;
  votersCount: number;
};

/** The input of {@link buildVote}. */
export type VoteInput = {
  id: string;
  voter: string;
  question: string;
  /** The exact name of the option, as received. */
  option: string;
  /** Actor id of the poll's author, the only recipient. */
  author: string;
  published?: string;
};

/**
 * Builds a poll, without `@context`: a post with options. Send new counts as an Update without a later `updated`, which
 * peers would show as an edit.
 */
export function buildQuestion(
  note: Omit<NoteInput, "type">,
  poll: PollInput,
): JsonObject {
  const options = poll.options.map(({ name, votes }) => ({
    type: "Note",
    name,
    // GoToSocial hides them without the member, and Mastodon with null, which it drops as JSON-LD.
    replies: membersOf({ type: "Collection", totalItems: votes ?? undefined }),
  }));
  return {
    ...buildNote({ ...note, type: "Question" }),
    ...membersOf({
      [poll.multiple ? "anyOf" : "oneOf"]: options,
      endTime: wholeSeconds(poll.endTime),
      closed: wholeSeconds(poll.closed),
      votersCount: poll.votersCount,
    }),
  };
}

/**
 * Builds a vote, without `@context`: a Note with a name and nothing else. Send one Create for each chosen option, only
 * to the author of the poll.
 */
export function buildVote(vote: VoteInput): JsonObject {
  return membersOf({
    id: vote.id,
    type: "Note",
    attributedTo: vote.voter,
    to: [vote.author],
    cc: [],
    name: vote.option,
    inReplyTo: vote.question,
    published: wholeSeconds(vote.published),
  });
}
