import { buildNote } from "./build-note.ts";
import type { NoteInput } from "./build-note.ts";
import { membersOf, wholeSeconds } from "./build-parts.ts";
import type { JsonObject } from "../json/json-types.ts";

/** What a poll of ours asks. Names are plain text, each once. */
export type PollInput = {
  multiple: boolean;
  options: { name: string; votes: number }[];
  endTime?: string;
  /** When it was closed. */
  closed?: string;
  votersCount: number;
};

/** What a vote of ours says. */
export type VoteInput = {
  id: string;
  voter: string;
  question: string;
  /** The exact name of the option, as it came. */
  option: string;
  /** Actor id of who asks; nobody else is told. */
  author: string;
  published?: string;
};

/**
 * Builds a poll, without `@context`: a post that has options. Tell new counts by an Update without a later `updated`,
 * which would pass for an edit.
 */
export function buildQuestion(
  note: Omit<NoteInput, "type">,
  poll: PollInput,
): JsonObject {
  const options = poll.options.map(({ name, votes }) => ({
    type: "Note",
    name,
    replies: { type: "Collection", totalItems: votes },
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
 * Builds a vote, without `@context`: a Note with a name and nothing else. Send one Create for each chosen option, to the
 * author of the poll alone.
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
