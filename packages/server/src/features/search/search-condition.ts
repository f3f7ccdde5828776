import type { Phrase } from "./search-query.ts";

/** A condition on the index: one phrase of each group, and none of the others. */
export type SearchCondition = {
  readonly all: readonly (readonly Phrase[])[];
  readonly none: readonly Phrase[];
};

// Words and marks consist of letters, digits and `_` alone: they need no escaping, and each is
// quoted all the same.

/** As FTS5 of SQLite reads it. */
export function writeMatch({ all, none }: SearchCondition): string {
  const quote = (phrase: Phrase) => `"${phrase.join(" ")}"`;
  const any = (group: readonly Phrase[]) =>
    group.length === 1
      ? group.map(quote).join("")
      : `(${group.map(quote).join(" OR ")})`;
  const wanted = all.map(any).join(" AND ");
  return none.length === 0
    ? wanted
    : `(${wanted}) NOT (${none.map(quote).join(" OR ")})`;
}

/**
 * As a `tsquery` of PostgreSQL.
 * @param isWhole false leaves out what its index cannot decide: the order of words
 */
export function writeVector(
  { all, none }: SearchCondition,
  isWhole: boolean,
): string {
  const quote = (phrase: Phrase) =>
    `(${phrase.map((word) => `'${word}'`).join(isWhole ? " <-> " : " & ")})`;
  const any = (group: readonly Phrase[]) => `(${group.map(quote).join(" | ")})`;
  const refused = isWhole ? none : none.filter(({ length }) => length === 1);
  return [
    ...all.map(any),
    ...refused.map((phrase) => `!${quote(phrase)}`),
  ].join(" & ");
}

/** Does the index of PostgreSQL leave anything open? */
export function hasOrder({ all, none }: SearchCondition): boolean {
  return [...all.flat(), ...none].some(({ length }) => length > 1);
}
