import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import { parseDatetime } from "../../lib/time/datetime.ts";
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
  /** In the format of `parseDatetime`. */
  readonly endsAt?: string | undefined;
  /** Shows the votes for each answer only after the end, which the poll must have. */
  readonly hidesTotals?: boolean | undefined;
};

/**
 * Validates the poll of a local author.
 * @returns undefined if there is no question
 * @throws {KithError} `bad_request`, `invalid_datetime`
 */
export function checkPoll(asked: AskedPoll, now: Date): NewPoll | undefined {
  const question = tidy(asked.question ?? "");
  const answers = (asked.answers ?? []).map(tidy);
  if (question === "") {
    if (answers.length > 0 || asked.multiple || asked.endsAt)
      throw refusal(
        "A poll must have a question: poll_question must be given with poll_answer, poll_multiple and poll_ends_at.",
      );
    return undefined;
  }
  if (answers.length < MIN_ANSWERS || answers.length > MAX_ANSWERS)
    throw refusal(
      `A poll must have ${MIN_ANSWERS} to ${MAX_ANSWERS} answers: poll_answer must be given as often with poll_question.`,
    );
  if (answers.includes("")) throw refusal("No poll answer may be blank.");
  if (new Set(answers).size < answers.length)
    throw refusal("No poll answer may be given twice.");
  if ([question, ...answers].some(isTooLong))
    throw refusal(
      `The poll question and each poll answer must have at most ${MAX_POLL_TEXT_LENGTH} characters.`,
    );
  const endsAt = checkEnd(asked.endsAt, timestamp(now));
  const hidesTotals = asked.hidesTotals ?? false;
  if (hidesTotals && endsAt === null)
    throw refusal(
      "A poll whose counts are hidden until it ends must have an end.",
    );
  return {
    guid: newGuid(),
    question,
    multiple: asked.multiple ?? false,
    ...{ endsAt, hidesTotals },
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
      "The time at which the poll ends, poll_ends_at, must be a date and time such as 2026-07-04T18:30:00Z.",
    );
  if (end.instant <= now)
    throw refusal(
      "The time at which the poll ends, poll_ends_at, must be in the future.",
    );
  return end.instant;
}

function refusal(reason: string): KithError {
  return new KithError("bad_request", reason);
}
