import { ActivityPubError } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import type { Activity } from "./read-activity.ts";
import { readNote } from "./read-note.ts";
import type { Note } from "./read-note.ts";
import { isHttpUrl } from "../urls.ts";
import { countOf, firstOf, isTrue, listOf, textOf, timeOf } from "../values.ts";

/** A poll, as claimed by its sender. */
export type Question = Note & {
  type: "Question";
  /** Whether voters may choose several options (`anyOf`). */
  multiple: boolean;
  /** At most 500, with unique names. Votes are null where the sender does not count them. */
  options: { name: string; votes: number | null }[];
  /** `YYYY-MM-DDTHH:MM:SS.sssZ` */
  endTime?: string;
  /** Whether the sender declares it closed; a poll whose `endTime` has passed is closed too. */
  closed: boolean;
  /** When the poll was closed, if the sender says so. */
  closedAt?: string;
  /** The number of voters; with multiple choice it is lower than the number of votes. */
  votersCount?: number;
};

/** A vote for one option; a voter who chooses several sends several votes. */
export type Vote = {
  id: string;
  /** Actor id. */
  voter: string;
  /** Id of the Question. */
  question: string;
  /** The exact name of the option. */
  option: string;
};

const MAX_OPTIONS = 500;

/**
 * Reads a poll (Activity Vocabulary, Question): options in `oneOf` or `anyOf`, with counts in `replies` or in Misskey's
 * own member.
 * @throws {ActivityPubError} `not_an_object` when it is not a Question, has no options, or has both kinds of options
 */
export function readQuestion(json: JsonObject): Question {
  const note = readNote(json);
  if (note.type !== "Question") {
    throw new ActivityPubError("not_an_object", "Not a Question");
  }
  const one = readOptions(json["oneOf"]);
  const any = readOptions(json["anyOf"]);
  if ((one.length === 0) === (any.length === 0)) {
    throw new ActivityPubError("not_an_object", "Not one list of options");
  }
  const endTime = timeOf(json["endTime"]);
  const closedAt = timeOf(json["closed"]);
  const votersCount = readVotersCount(json);
  return {
    ...note,
    type: "Question",
    multiple: any.length > 0,
    options: any.length > 0 ? any : one,
    ...(endTime !== undefined && { endTime }),
    closed: closedAt !== undefined || isClosed(json["closed"]),
    ...(closedAt !== undefined && { closedAt }),
    ...(votersCount !== undefined && { votersCount }),
  };
}

function readOptions(value: JsonValue | undefined): Question["options"] {
  const options = new Map<string, number | null>();
  for (const item of listOf(value, MAX_OPTIONS)) {
    if (!isJsonObject(item)) continue;
    const name = textOf(item["name"], 2048);
    if (name === undefined || options.has(name)) continue;
    options.set(name, readVotes(item));
  }
  return [...options].map(([name, votes]) => ({ name, votes }));
}

function readVotes(option: JsonObject): number | null {
  const replies = option["replies"];
  const total = isJsonObject(replies) ? replies["totalItems"] : undefined;
  return countOf(total) ?? countOf(option["_misskey_votes"]) ?? null;
}

/** `closed` may also be the object that closed the poll (Activity Vocabulary, closed). */
function isClosed(value: JsonValue | undefined): boolean {
  return isTrue(value) || isJsonObject(firstOf(value));
}

/** Pleroma lists the voters instead of counting them. */
function readVotersCount(json: JsonObject): number | undefined {
  const count = countOf(json["votersCount"]);
  if (count !== undefined || json["voters"] === undefined) return count;
  return listOf(json["voters"]).length;
}

/**
 * Reads a vote, as distinct from a comment: a Note with a name and no text, in reply to an object. The caller must check
 * that the object is a poll with such an option; if not, the Note is a comment.
 * @returns undefined for anything else
 */
export function readVote(note: Note): Vote | undefined {
  const { inReplyTo, name, content, attachments, type } = note;
  if (type !== "Note" || !isBlank(content) || attachments.length > 0) {
    return undefined;
  }
  if (name === undefined || inReplyTo === undefined) return undefined;
  if (!isHttpUrl(inReplyTo)) return undefined;
  return {
    id: note.id,
    voter: note.attributedTo,
    question: inReplyTo,
    option: name,
  };
}

/** snac 2.75 sends a line break as an empty text. The length is bounded, so that the check is cheap. */
function isBlank(content: string): boolean {
  return content.length <= 64 && /^(?:\s|<br ?\/?>|<\/?p>)*$/i.test(content);
}

/** The votes of a Create, by its own actor: GoToSocial sends all choices at once. */
export function readVotesOf(activity: Activity): Vote[] {
  if (activity.type !== "Create") return [];
  return activity.objects.flatMap(({ embedded }) => {
    if (embedded?.["type"] !== "Note") return [];
    const vote = voteIn(embedded);
    return vote?.voter === activity.actor ? [vote] : [];
  });
}

function voteIn(object: JsonObject): Vote | undefined {
  try {
    return readVote(readNote(object));
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}
