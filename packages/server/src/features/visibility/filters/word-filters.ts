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

/**
 * Show the match with a text, leave the text out of lists, or hide its pictures alone, which
 * apps do; pages warn instead.
 */
export const FILTER_ACTIONS = ["warn", "hide", "blur"] as const;
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
  /** The ids of posts and comments that it matches, whatever they say. */
  readonly statuses: ReadonlySet<number>;
};

/** A filter that matches a text, and the keywords that it found there. */
export type FilterMatch = {
  readonly filterId: FilterId;
  readonly title: string;
  readonly action: FilterAction;
  readonly keywords: readonly string[];
  /** The ids of the post or comment, and of the reshared one, that the filter names. */
  readonly statuses: readonly number[];
};

/**
 * The one rule for which filters match a thing with these texts.
 * @param ids that of the post or comment, and of the one that it reshares
 */
export function matchFilters(
  filters: readonly WordFilter[],
  texts: readonly string[],
  ids: readonly number[] = [],
): FilterMatch[] {
  const folded = texts.map(fold);
  return filters.flatMap(({ id, title, action, ...filter }) => {
    const found = filter.keywords.filter((it) =>
      folded.some((text) => has(text, it)),
    );
    const statuses = ids.filter((it) => filter.statuses.has(it));
    if (found.length + statuses.length === 0) return [];
    const keywords = [...new Set(found.map(({ keyword }) => keyword))];
    return [{ filterId: id, title, action, keywords, statuses }];
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
