import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import {
  findAuthor,
  hasContactHere,
  isFollowedHere,
} from "./author-queries.ts";
import { asksAuthor, type JudgedAuthor, type SpamRule } from "./spam-rule.ts";

/** The author and the readers of a text. */
export type TextReach = {
  readonly personId: PersonId;
  readonly isPublic: boolean;
  /** Its readers here, where it is not public. */
  readonly readers: () => Promise<readonly PersonId[]>;
};

const DAY_MS = 86_400_000;

/**
 * Finds the properties of an author that rules ask for.
 * @param rules those whose other conditions hold: there is at least one
 * @param at when the text was written or came in
 * @returns undefined for an author to whom no rule applies: somebody here whose account is not
 *   new, and somebody whom a reader of the text follows
 */
export async function findJudgedAuthor(
  reader: Reader,
  { personId, isPublic, readers }: TextReach,
  rules: readonly SpamRule[],
  at: Date,
): Promise<(JudgedAuthor & { readonly isLocal: boolean }) | undefined> {
  const author = await findAuthor(reader, personId);
  if (!author) return undefined;
  const { isLocal, newDays } = author;
  const knownSince = new Date(author.since);
  const newUntilMs = knownSince.getTime() + newDays * DAY_MS;
  if (isLocal && at.getTime() >= newUntilMs) return undefined;
  // Otherwise one more account would free a new account here from all rules.
  const among = isPublic ? (isLocal ? [] : "everybody") : await readers();
  if (await isFollowedHere(reader, personId, among)) return undefined;
  const hasContact =
    rules.some(({ conditions }) => asksAuthor(conditions)) &&
    (await hasContactHere(reader, personId));
  return { isLocal, knownSince, hasContact };
}
