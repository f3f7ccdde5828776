import type { Filter } from "../../features/filters/index.ts";
import type { FilterMatch } from "../../features/visibility/index.ts";
import type { WireRecord } from "./records.ts";

export function presentFilter(filter: Filter): WireRecord {
  return {
    ID: filter.id,
    CreatedAt: filter.createdAt,
    UpdatedAt: filter.updatedAt,
    Title: filter.title,
    Contexts: filter.contexts,
    Action: filter.action,
    Until: filter.endsAt,
    Keywords: filter.keywords.map(({ id, keyword, wholeWord }) => ({
      ID: id,
      Keyword: keyword,
      WholeWord: wholeWord,
    })),
  };
}

/** No field if no filter matches. */
export function presentFiltered(
  matches: readonly FilterMatch[] | undefined,
): WireRecord {
  if (!matches) return {};
  return {
    Filtered: matches.map(({ filterId, title, action, keywords }) => ({
      FilterID: filterId,
      Title: title,
      Action: action,
      Keywords: keywords,
    })),
  };
}
