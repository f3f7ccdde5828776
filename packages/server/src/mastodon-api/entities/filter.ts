import type { Filter, FilterStatus } from "../../features/filters/index.ts";
import type { FilterMatch } from "../../features/visibility/index.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";

/** A filter without its keywords, as results name it. */
const presentHead = (
  filter: Omit<Filter, "keywords" | "statuses">,
): Entity => ({
  id: toWireId(filter.id),
  title: filter.title,
  context: filter.contexts,
  expires_at: filter.endsAt && toWireTime(filter.endsAt),
  filter_action: filter.action,
});

export const presentFullFilter = (filter: Filter): Entity => ({
  ...presentHead(filter),
  keywords: filter.keywords.map(presentKeyword),
  statuses: filter.statuses.map(presentFilterStatus),
});

export const presentFilterStatus = ({
  id,
  statusId,
}: FilterStatus): Entity => ({
  id: toWireId(id),
  status_id: toWireId(statusId),
});

type StoredKeyword = Filter["keywords"][number];

export const presentKeyword = ({
  id,
  keyword,
  wholeWord,
}: StoredKeyword): Entity => ({
  id: toWireId(id),
  keyword,
  whole_word: wholeWord,
});

/** In the first version of this API each keyword is a filter. */
export const presentOldFilter = (
  filter: Filter,
  { id, keyword, wholeWord }: StoredKeyword,
): Entity => ({
  id: toWireId(id),
  phrase: keyword,
  context: filter.contexts,
  whole_word: wholeWord,
  irreversible: filter.action === "hide",
  expires_at: filter.endsAt && toWireTime(filter.endsAt),
});

/** @param filters of the viewer, by id */
export function presentMatches(
  matches: readonly FilterMatch[],
  filters: ReadonlyMap<number, Filter>,
): Entity[] {
  return matches.flatMap(({ filterId, keywords, statuses }) => {
    const filter = filters.get(filterId);
    return filter
      ? [
          {
            filter: presentHead(filter),
            keyword_matches: keywords,
            status_matches:
              statuses.length === 0 ? null : statuses.map(toWireId),
          },
        ]
      : [];
  });
}
