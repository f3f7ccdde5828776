import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { FilterId, UserId } from "../ids.ts";
import { END_FILTER } from "./end-filter.ts";
import {
  findFilter,
  insertFilter,
  listFilters,
  updateFilter,
  updateKeywords,
} from "./filter-store.ts";
import {
  MAX_FILTERS,
  MAX_KEYWORDS,
  MAX_KEYWORD_LENGTH,
  MAX_TITLE_LENGTH,
  type Filter,
  type FilterChoice,
  type FilterCollector,
} from "./filter.ts";

const ALL = { offset: 0, limit: MAX_FILTERS } as const;

export type SaveFilterDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, "enqueue">;
  readonly collector: FilterCollector;
};

/**
 * Saves a new filter, or replaces everything in one.
 * @param id the filter to replace
 * @param options may it have no keywords, which are added later?
 * @throws {KithError} `empty_string` for a blank title, `bad_request` for no, blank, long or too
 *   many keywords or no context, `not_found` for another user's filter
 */
export async function saveFilter(
  { db, clock, jobs, collector }: SaveFilterDeps,
  userId: UserId,
  given: FilterChoice,
  id?: FilterId,
  { mayLackKeywords = false } = {},
): Promise<Filter> {
  const choice = normalize(given);
  checkTitle(choice);
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `filters:${userId}`);
    const filters = await listFilters(tx, userId, ALL);
    if (id !== undefined && !filters.some((filter) => filter.id === id))
      throw noSuchFilter();
    checkMatching(choice, mayLackKeywords);
    checkRoom(filters, choice, id);
    const now = timestamp(clock.now());
    const stored = id ?? (await insertFilter(tx, userId, choice, now));
    if (id !== undefined && !(await updateFilter(tx, userId, id, choice, now)))
      throw noSuchFilter();
    await updateKeywords(tx, stored, choice.keywords);
    const { endsAt } = choice;
    if (endsAt !== null)
      await jobs.enqueue(
        tx,
        END_FILTER,
        { filterId: stored, endsAt },
        { runAt: new Date(endsAt) },
      );
    collector.noteFilters(tx, userId);
    const saved = await findFilter(tx, userId, stored);
    if (!saved) throw new Error("The filter cannot be read");
    return saved;
  });
}

const noSuchFilter = () => new KithError("not_found", "No such filter.");

/** Each keyword once: with and without whole words, one without finds all. */
function normalize(choice: FilterChoice): FilterChoice {
  type Keyword = FilterChoice["keywords"][number];
  const keywords = new Map<string, Keyword>();
  for (const given of choice.keywords) {
    const keyword = given.keyword.trim();
    const before = keywords.get(keyword) ?? given;
    const wholeWord = given.wholeWord && before.wholeWord;
    keywords.set(keyword, { ...before, keyword, wholeWord });
  }
  return {
    ...choice,
    title: choice.title.trim(),
    contexts: [...new Set(choice.contexts)],
    keywords: [...keywords.values()],
  };
}

function checkTitle({ title }: FilterChoice): void {
  if (title === "")
    throw new KithError("empty_string", "The parameter title must be given.");
  if ([...title].length > MAX_TITLE_LENGTH)
    throw new KithError(
      "bad_request",
      `The parameter title must have at most ${MAX_TITLE_LENGTH} characters.`,
    );
}

function checkMatching(
  { contexts, keywords }: FilterChoice,
  mayLackKeywords: boolean,
): void {
  const isRefused = ({ keyword }: { readonly keyword: string }) =>
    keyword === "" || [...keyword].length > MAX_KEYWORD_LENGTH;
  const lacksKeywords = keywords.length === 0 && !mayLackKeywords;
  if (lacksKeywords || keywords.some(isRefused))
    throw new KithError(
      "bad_request",
      `The parameters keyword and whole_word must name a keyword, each of 1 to ${MAX_KEYWORD_LENGTH} characters.`,
    );
  if (contexts.length === 0)
    throw new KithError(
      "bad_request",
      "The parameter context must name at least one context.",
    );
}

function checkRoom(
  all: readonly Filter[],
  choice: FilterChoice,
  id: FilterId | undefined,
): void {
  if (id === undefined && all.length >= MAX_FILTERS)
    throw new KithError(
      "bad_request",
      `You have as many filters as you can have: ${MAX_FILTERS}.`,
    );
  const others = all.filter((filter) => filter.id !== id);
  const count = others.reduce(
    (sum, { keywords }) => sum + keywords.length,
    choice.keywords.length,
  );
  if (count > MAX_KEYWORDS)
    throw new KithError(
      "bad_request",
      `Your filters can have ${MAX_KEYWORDS} keywords in all: give fewer as keyword and whole_word.`,
    );
}
