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
  const since = readCursor(input, "since_id")?.id;
  const after = readCursor(input, "min_id")?.id ?? since;
  const isNewest = after !== undefined && !input.filled("min_id");
  const before =
    readCursor(input, "max_id")?.id ?? (isNewest ? LAST : undefined);
  return { offset: 0, limit, before, after, since };
}

/** From 1 on. Larger ones are lowered, and what is no number is ignored: never refused. */
export function readLimit(input: Input, { usual, most }: PageSize): number {
  const given = readNumber(input, "limit") ?? usual;
  return Math.min(Math.max(given, 1), most);
}

/** How many are skipped; none for what is no number. */
export const readOffset = (input: Input, most = LAST): number =>
  Math.min(readNumber(input, "offset") ?? 0, most);

function readNumber(input: Input, name: string): number | undefined {
  const text = input.filled(name);
  return text !== undefined && /^\d{1,19}$/.test(text)
    ? toNumber(text)
    : undefined;
}

const toNumber = (digits: string): number => Math.min(Number(digits), LAST);

/** The id of a record, and its place in a list that is not ordered by ids. */
export type Cursor = { readonly id: number; readonly place?: number };

/** A text that is no id is ignored, as it was never a place of the list. */
function readCursor(input: Input, name: string): Cursor | undefined {
  const parts = /^(\d{1,19})(?:-(\d{1,19}))?$/.exec(input.filled(name) ?? "");
  if (parts?.[1] === undefined) return undefined;
  return {
    id: toNumber(parts[1]),
    ...(parts[2] !== undefined && { place: toNumber(parts[2]) }),
  };
}

const toText = ({ id, place }: Cursor): string =>
  place === undefined ? String(id) : `${id}-${place}`;

const CURSORS = ["max_id", "since_id", "min_id", "limit"];

/**
 * The Link header of a page, next first.
 * @param url absolute, with the query of the call
 * @param keys those of the records of the page, as they are ordered; a page without records
 *   has no header
 * @param isLast is nothing older left? A page that is not full is the last one
 */
export function linkHeader(
  url: URL,
  { limit }: Pick<Page, "limit">,
  keys: readonly (number | Cursor)[],
  isLast = keys.length < limit,
): string | undefined {
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const address = (name: string, key: number | Cursor) => {
    const to = new URL(url);
    for (const cursor of CURSORS) to.searchParams.delete(cursor);
    to.searchParams.delete("access_token");
    to.searchParams.set("limit", String(limit));
    to.searchParams.set(
      name,
      toText(typeof key === "number" ? { id: key } : key),
    );
    return to.href;
  };
  const prev = `<${address("min_id", first)}>; rel="prev"`;
  return isLast ? prev : `<${address("max_id", last)}>; rel="next", ${prev}`;
}

type PagedCall = {
  readonly input: Input;
  readonly link: (page: AskedPage, keys: readonly Cursor[]) => void;
};

/**
 * Reads one page of a list that is ordered by a time, and links to those beside it. The links
 * say where the page ends, so that they hold when its last record has gone.
 */
export async function readKeyedPage<T>(
  { input, link }: PagedCall,
  size: PageSize,
  cursorOf: (record: T) => Required<Cursor>,
  read: (page: Page) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const asked = readAskedPage(input, size);
  const records = await readBeside(input, asked, cursorOf, read);
  link(asked, records.map(cursorOf));
  return records;
}

/** The newest page, of which only records newer than `since_id` are wanted, ends before it. */
async function readBeside<T>(
  input: Input,
  asked: AskedPage,
  cursorOf: (record: T) => Required<Cursor>,
  read: (page: Page) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const { since, offset, limit } = asked;
  const before = asked.before === LAST ? undefined : asked.before;
  const placeOf = (name: string) => readCursor(input, name)?.place;
  const places = { before: placeOf("max_id"), after: placeOf("min_id") };
  if (since === undefined || since !== asked.after)
    return read({ offset, limit, before, after: asked.after, places });
  const records = await read({ offset, limit, before, places });
  const from = readCursor(input, "since_id") ?? { id: since };
  const end = records.findIndex((record) =>
    isAtOrBelow(cursorOf(record), from),
  );
  return end < 0 ? records : records.slice(0, end);
}

/** Without a place, nothing else is known to stand below a record. */
function isAtOrBelow({ id, place }: Required<Cursor>, other: Cursor): boolean {
  if (other.place === undefined) return id === other.id;
  return place < other.place || (place === other.place && id <= other.id);
}
