import type { Page } from "../../features/page.ts";
import type { Input } from "./input.ts";

/** The sizes of the pages of a list. */
export type PageSize = { readonly usual: number; readonly most: number };

export const OF_STATUSES: PageSize = { usual: 20, most: 40 };
export const OF_ACCOUNTS: PageSize = { usual: 40, most: 80 };

const LAST = Number.MAX_SAFE_INTEGER;

/** A page as a call asks for it, with the cursor that only limits it. */
export type AskedPage = Page & {
  /** Only newer ones, beginning with the newest: `since_id`. */
  readonly since: number | undefined;
};

/**
 * Reads `max_id`, `since_id`, `min_id` and `limit`. Larger limits are lowered, never refused.
 * After `min_id` alone comes the page next to it, after `since_id` the newest one.
 */
export function readAskedPage(
  input: Input,
  { usual, most }: PageSize,
): AskedPage {
  const limit = readLimit(input, { usual, most });
  const since = cursor(input, "since_id");
  const after = cursor(input, "min_id") ?? since;
  const isNewest = after !== undefined && !input.filled("min_id");
  const before = cursor(input, "max_id") ?? (isNewest ? LAST : undefined);
  return { offset: 0, limit, before, after, since };
}

/** From 1 on. Larger ones are lowered, and what is no number is ignored: never refused. */
export function readLimit(input: Input, { usual, most }: PageSize): number {
  const given = cursor(input, "limit") ?? usual;
  return Math.min(Math.max(given, 1), most);
}

/** How many are skipped; none for what is no number. */
export const readOffset = (input: Input, most = LAST): number =>
  Math.min(cursor(input, "offset") ?? 0, most);

/** A text that is no id is ignored, as it was never a place of the list. */
function cursor(input: Input, name: string): number | undefined {
  const text = input.filled(name);
  return text !== undefined && /^\d{1,19}$/.test(text)
    ? Math.min(Number(text), LAST)
    : undefined;
}

const CURSORS = ["max_id", "since_id", "min_id", "limit"];

/**
 * The Link header of a page, next first.
 * @param url absolute, with the query of the call
 * @param ids the keys of the records of the page, as they are ordered; a page without records
 *   has no header
 * @param isLast is nothing older left? A page that is not full is the last one
 */
export function linkHeader(
  url: URL,
  { limit }: Pick<Page, "limit">,
  ids: readonly number[],
  isLast = ids.length < limit,
): string | undefined {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const address = (name: string, id: number) => {
    const to = new URL(url);
    for (const cursor of CURSORS) to.searchParams.delete(cursor);
    to.searchParams.delete("access_token");
    to.searchParams.set("limit", String(limit));
    to.searchParams.set(name, String(id));
    return to.href;
  };
  const prev = `<${address("min_id", first)}>; rel="prev"`;
  return isLast ? prev : `<${address("max_id", last)}>; rel="next", ${prev}`;
}

/**
 * Reads one page of a list whose keys must be ids of its own records: others find nothing.
 * The newest page, of which only records newer than `since_id` are wanted, ends before it.
 */
export async function readKeyedPage<T>(
  page: AskedPage,
  idOf: (record: T) => number,
  read: (page: Page) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const { since, offset, limit } = page;
  const before = page.before === LAST ? undefined : page.before;
  if (since === undefined || since !== page.after)
    return read({ offset, limit, before, after: page.after });
  const records = await read({ offset, limit, before });
  const end = records.findIndex((record) => idOf(record) === since);
  return end < 0 ? records : records.slice(0, end);
}
