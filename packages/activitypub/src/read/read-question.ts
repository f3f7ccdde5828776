import { ActivityPubError } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import type { Activity } from "./read-activity.ts";
import { readNote } from "./read-note.ts";
import type { Note } from "./read-note.ts";
import { isHttpUrl } from "../urls.ts";
import { countOf, firstOf, isTrue, listOf, textOf, timeOf } from "../values.ts";

/** A poll, as its sender claims it. */
export type Question = Note & {
  type: "Question";
  /** Whether one may choose several options (`anyOf`). */
  multiple: boolean;
  /** At most 500, each name once. */
  options: { name: string; votes: number }[];
  /** `YYYY-MM-DDTHH:MM:SS.sssZ` */
  endTime?: string;
  /** Whether the sender calls it over; one whose `endTime` has passed is over too. */
  closed: boolean;
  /** When it was closed, where the sender says so. */
  closedAt?: string;
  /** How many people voted; with several choices fewer than there are votes. */
  votersCount?: number;
};

/** A vote for one option; who chooses several sends several. */
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
 * Reads a poll (Activity Vocabulary, Question): options under `oneOf` or `anyOf`, counted by `replies` or by
 * Misskey's own member.
 * @throws {ActivityPubError} `not_an_object` when it is no Question, or has no options, or both kinds of them
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
  const options = new Map<string, number>();
  for (const item of listOf(value, MAX_OPTIONS)) {
    if (!isJsonObject(item)) continue;
    const name = textOf(item["name"], 2048);
    if (name === undefined || options.has(name)) continue;
    options.set(name, readVotes(item));
  }
  return [...options].map(([name, votes]) => ({ name, votes }));
}

function readVotes(option: JsonObject): number {
  const replies = option["replies"];
  const total = isJsonObject(replies) ? replies["totalItems"] : undefined;
  return countOf(total) ?? countOf(option["_misskey_votes"]) ?? 0;
}

/** `closed` may also be an object that closed it (Activity Vocabulary, closed). */
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
 * Tells a vote from a comment: a Note with a name and without anything to read, in reply to something. Whether that is a
 * poll with such an option is for the caller to look up; if not, it is a comment all the same.
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

/** snac 2.75 says nothing with a line break. Of bounded length, so that looking costs nothing. */
function isBlank(content: string): boolean {
  return content.length <= 64 && /^(?:\s|<br ?\/?>|<\/?p>)*$/i.test(content);
}

/** The votes that a Create brings, by its own actor: GoToSocial sends all choices at once. */
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
