import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { UserId } from "../ids.ts";
import { compileExpression } from "./expression.ts";
import { countStreams, insertStream } from "./stream-store.ts";
import {
  splitList,
  type NewUserStream,
  type UserStream,
} from "./user-stream.ts";

export type SaveStreamDeps = { readonly db: Db; readonly clock: Clock };

export const MAX_STREAMS = 100;
const MAX_NAME_LENGTH = 255;
/** Of tags, and of people. */
const MAX_PARTS = 100;
const MAX_PART_LENGTH = 255;

/**
 * Saves a user's stream.
 * @throws {KithError} `empty_string` for the name; `bad_request` for an invalid expression,
 * or too much of anything
 */
export async function saveStream(
  { db, clock }: SaveStreamDeps,
  userId: UserId,
  stream: NewUserStream,
): Promise<UserStream> {
  check(stream);
  if (stream.expression !== "") await compileExpression(stream.expression);
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `user-streams:${userId}`);
    if ((await countStreams(tx, userId)) >= MAX_STREAMS)
      throw new KithError(
        "bad_request",
        "You have as many streams as you can have.",
      );
    return insertStream(tx, userId, stream, timestamp(clock.now()));
  });
}

function check({ name, tags, people }: NewUserStream): void {
  if (name.trim() === "")
    throw new KithError("empty_string", "The name must not be blank.");
  if ([...name].length > MAX_NAME_LENGTH)
    throw new KithError(
      "bad_request",
      `The name must have at most ${MAX_NAME_LENGTH} characters.`,
    );
  for (const [what, list] of Object.entries({ tags, people })) {
    const parts = list.split(",");
    const isTooMuch =
      splitList(list).length > MAX_PARTS ||
      parts.length > 2 * MAX_PARTS ||
      parts.some((part) => part.length > MAX_PART_LENGTH);
    if (isTooMuch)
      throw new KithError(
        "bad_request",
        `The ${what} must be at most ${MAX_PARTS}, each of at most ${MAX_PART_LENGTH} characters.`,
      );
  }
}
