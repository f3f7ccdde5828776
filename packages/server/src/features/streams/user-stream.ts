import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId, UserStreamId } from "../ids.ts";

/**
 * A stream defined by a user: posts that have one of the tags, are by one of the people, or
 * have a text that the expression matches.
 */
export type UserStream = {
  readonly id: UserStreamId;
  readonly userId: UserId;
  readonly name: string;
  /** As entered: separated by commas. */
  readonly tags: string;
  /** Handles, Guids or database ids, separated by commas. */
  readonly people: string;
  readonly expression: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export type NewUserStream = Pick<
  UserStream,
  "name" | "tags" | "people" | "expression"
>;

/** Splits a comma-separated list as entered by a user. */
export function splitList(list: string): string[] {
  const parts = list.split(",").map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}
