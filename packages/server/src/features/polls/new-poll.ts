import { timestamp, type Timestamp } from "../../lib/clock.ts";
import { parseDatetime } from "../../lib/datetime.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import { storableText } from "../../lib/well-formed.ts";
import {
  MAX_ANSWERS,
  MAX_POLL_TEXT_LENGTH,
  MIN_ANSWERS,
  type NewPoll,
} from "./poll.ts";

/** A poll as a request describes it. */
export type AskedPoll = {
  readonly question?: string | undefined;
  readonly answers?: readonly string[] | undefined;
  readonly multiple?: boolean | undefined;
  /** As `parseDatetime` reads it. */
  readonly endsAt?: string | undefined;
};

/**
 * Checks what somebody here asks.
 * @returns undefined where nothing is asked
 * @throws {KithError} `bad_request`, `invalid_datetime`
 */
export function checkPoll(asked: AskedPoll, now: Date): NewPoll | undefined {
  const question = tidy(asked.question ?? "");
  const answers = (asked.answers ?? []).map(tidy);
  if (question === "") {
    if (answers.length > 0 || asked.multiple || asked.endsAt)
      throw refusal("A poll needs a question.");
    return undefined;
  }
  if (answers.length < MIN_ANSWERS || answers.length > MAX_ANSWERS)
    throw refusal(`A poll has ${MIN_ANSWERS} to ${MAX_ANSWERS} answers.`);
  if (answers.includes("")) throw refusal("No answer of a poll may be blank.");
  if (new Set(answers).size < answers.length)
    throw refusal("No two answers of a poll may be the same.");
  if ([question, ...answers].some(isTooLong))
    throw refusal(
      `The question and each answer of a poll must have at most ${MAX_POLL_TEXT_LENGTH} characters.`,
    );
  return {
    guid: newGuid(),
    question,
    multiple: asked.multiple ?? false,
    endsAt: checkEnd(asked.endsAt, timestamp(now)),
    answers: answers.map((text) => ({ guid: newGuid(), text })),
  };
}

/** Questions and answers are one line each. */
function tidy(text: string): string {
  return storableText(text).replace(/\s+/g, " ").trim();
}

function isTooLong(text: string): boolean {
  return [...text].length > MAX_POLL_TEXT_LENGTH;
}

function checkEnd(text: string | undefined, now: Timestamp): Timestamp | null {
  if (text === undefined || text.trim() === "") return null;
  const end = parseDatetime(text.trim());
  if (!end)
    throw new KithError(
      "invalid_datetime",
      "The end of the poll must be a date and time, such as 2026-07-04T18:30:00Z.",
    );
  if (end.instant <= now) throw refusal("The end of the poll is in the past.");
  return end.instant;
}

function refusal(reason: string): KithError {
  return new KithError("bad_request", reason);
}
