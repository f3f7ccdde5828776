import type { FilterId } from "../../ids.ts";

/** Where a filter applies. */
export const FILTER_CONTEXTS = [
  "home",
  "notifications",
  "public",
  "thread",
  "account",
] as const;
export type FilterContext = (typeof FILTER_CONTEXTS)[number];

/** Show the match with a text, or leave the text out of lists. */
export const FILTER_ACTIONS = ["warn", "hide"] as const;
export type FilterAction = (typeof FILTER_ACTIONS)[number];

export type FilterKeyword = {
  readonly keyword: string;
  /** Not as a part of a longer word. */
  readonly wholeWord: boolean;
};

/** Words that a user does not want to read. */
export type WordFilter = {
  readonly id: FilterId;
  readonly title: string;
  readonly action: FilterAction;
  readonly contexts: readonly FilterContext[];
  readonly keywords: readonly FilterKeyword[];
};

/** A filter that matches a text, and the keywords that it found there. */
export type FilterMatch = {
  readonly filterId: FilterId;
  readonly title: string;
  readonly action: FilterAction;
  readonly keywords: readonly string[];
};

/** The one rule for which filters match a thing with these texts. */
export function matchFilters(
  filters: readonly WordFilter[],
  texts: readonly string[],
): FilterMatch[] {
  const folded = texts.map(fold);
  return filters.flatMap(({ id, title, action, keywords }) => {
    const found = keywords.filter((it) => folded.some((text) => has(text, it)));
    if (found.length === 0) return [];
    const names = [...new Set(found.map(({ keyword }) => keyword))];
    return [{ filterId: id, title, action, keywords: names }];
  });
}

/** Case, and forms of a letter that look alike, do not matter. */
function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

const ENDS_IN_WORD = /[\p{L}\p{M}\p{N}_]$/u;
const BEGINS_WITH_WORD = /^[\p{L}\p{M}\p{N}_]/u;

function has(text: string, { keyword, wholeWord }: FilterKeyword): boolean {
  const wanted = fold(keyword);
  if (!wholeWord) return text.includes(wanted);
  // A keyword such as #tag has no word before its first character that it could be part of.
  const isBoundBefore = BEGINS_WITH_WORD.test(wanted);
  const isBoundAfter = ENDS_IN_WORD.test(wanted);
  for (let at = text.indexOf(wanted); at !== -1;) {
    const end = at + wanted.length;
    // Two units, because a letter may take both.
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(end, end + 2);
    if (
      !(isBoundBefore && ENDS_IN_WORD.test(before)) &&
      !(isBoundAfter && BEGINS_WITH_WORD.test(after))
    )
      return true;
    at = text.indexOf(wanted, at + 1);
  }
  return false;
}
