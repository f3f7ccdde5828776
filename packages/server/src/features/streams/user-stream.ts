import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId, UserStreamId } from "../ids.ts";

/**
 * What a user wants to read in one place: the posts that have one of the tags,
 * are by one of the people, or have a text that matches the expression.
 */
export type UserStream = {
  readonly id: UserStreamId;
  readonly userId: UserId;
  readonly name: string;
  /** As they were given: separated by commas. */
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

/** The parts of a list as users write it. */
export function splitList(list: string): string[] {
  const parts = list.split(",").map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}
