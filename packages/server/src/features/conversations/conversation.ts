import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { PersonId, PostId } from "../ids.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** The participants of one conversation, its starter included. */
export const MAX_PARTICIPANTS = 50;

/** The limit of diaspora* servers, in code points. */
export const MAX_SUBJECT_LENGTH = 255;

/** A message: the conversation itself has the first one, each comment on it another. */
export type PrivateMessage = {
  /** In the order of writing; the first message has the id of the conversation. */
  readonly id: number;
  readonly guid: string;
  readonly postId: PostId;
  readonly personId: PersonId;
  /** Markdown. */
  readonly text: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** A conversation as one of its participants sees it. */
export type Conversation = {
  readonly id: PostId;
  readonly guid: string;
  /** The person who started it. */
  readonly personId: PersonId;
  readonly subject: string | null;
  readonly state: "shown" | "hidden" | "left";
  readonly unread: number;
  /** Grows with each message: orders the list of conversations. */
  readonly activityKey: number;
  readonly createdAt: Timestamp;
};

/**
 * Checks a local person's subject: one line.
 * @returns null for a blank one
 * @throws {KithError} `bad_request` if it is too long
 */
export function checkSubject(text = ""): string | null {
  const line = storableText(text).replace(/\s+/g, " ").trim();
  if ([...line].length > MAX_SUBJECT_LENGTH)
    throw new KithError(
      "bad_request",
      `The subject must have at most ${MAX_SUBJECT_LENGTH} characters.`,
    );
  return line === "" ? null : line;
}
