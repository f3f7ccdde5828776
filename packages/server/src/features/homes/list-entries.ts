import type { OrderByDirection } from "kysely";
import type { Reader } from "../../db/db.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";
import type { CommentId, PostId } from "../ids.ts";
import { directionOf, type Page } from "../page.ts";
import type { Author } from "../posts/index.ts";
import { KEYS_PER_POST } from "./comment-arrival-store.ts";
import { findLast, listPart, type HomeEntry } from "./home-queries.ts";
import {
  findLastPlace,
  listReplies,
  type HomeReplies,
  type ReplyEntry,
} from "./reply-queries.ts";

/** How many arrivals back the first page of each home lately reached. */
export type HomeWindows = ReturnType<typeof createHomeWindows>;

const WINDOWS_KEPT = 10_000;

export function createHomeWindows() {
  return createLruCache<string, number>({ max: WINDOWS_KEPT });
}

/** A post in a home, or a comment in one with replies. */
export type PlacedEntry = {
  /** The key of its place. */
  readonly position: number;
  readonly postId: PostId;
  /** The post itself, or the reshare that brought it; of a comment, its post. */
  readonly broughtBy: PostId;
  readonly commentId?: CommentId;
};

export type EntriesDeps = {
  readonly read: Reader;
  readonly windows: HomeWindows;
};

/** Which entries are read, of an own home. */
export type EntryChoice = {
  /** A JSON array of aspects. */
  readonly list: string | undefined;
  readonly reshares: boolean;
  readonly replies: HomeReplies;
};

/** Nothing is returned beyond it, so that no offset costs more steps than this. */
const DEEPEST = 100_000;
/** With replies, both lists are read from their beginning up to the offset. */
const DEEPEST_WITH_REPLIES = 10_000;

/**
 * So many arrivals are looked at first, or somewhat more than the first page reached last
 * time; each time too few were found, more of them. Of comments, those between fewer posts.
 */
const FIRST_WINDOW = 1_000;
const FIRST_WINDOW_OF_REPLIES = 100;
const GROWTH = 8;
const SPARE = 1.25;

/** Lists the entries of one page, in the direction in which it is read. */
export async function listEntries(
  deps: EntriesDeps,
  user: Author,
  choice: EntryChoice,
  page: Page,
): Promise<PlacedEntry[]> {
  if (choice.replies !== "none") return listMerged(deps, user, choice, page);
  if (page.offset >= DEEPEST) return [];
  const last = await findLast(deps.read);
  const found = await listOfPosts(deps, user, choice, page, last);
  return found.map((it) => ofPost(it, it.position));
}

const ofPost = ({ rootId, broughtBy }: HomeEntry, position: number) => ({
  ...{ postId: rootId, broughtBy, position },
});

/** Reads posts and comments up to the same last place, so that none comes in between unseen. */
async function listMerged(
  deps: EntriesDeps,
  user: Author,
  choice: EntryChoice,
  page: Page,
): Promise<PlacedEntry[]> {
  const { offset, limit, before, after } = page;
  if (offset >= DEEPEST_WITH_REPLIES) return [];
  const whole = { ...page, offset: 0, limit: offset + limit };
  const ofPosts = {
    ...whole,
    before: before && Math.ceil(before / KEYS_PER_POST),
    after: after && Math.floor(after / KEYS_PER_POST),
  };
  const last = await findLastPlace(deps.read);
  const [posts, replies] = await Promise.all([
    listOfPosts(deps, user, choice, ofPosts, last),
    listOfReplies(deps, user, choice, whole, last),
  ]);
  const sign = directionOf(page) === "asc" ? 1 : -1;
  return [
    ...posts.map((it) => ofPost(it, it.position * KEYS_PER_POST)),
    ...replies.map((it) => ({ ...it, broughtBy: it.postId })),
  ]
    .sort((one, other) => sign * (one.position - other.position))
    .slice(offset, offset + limit);
}

/**
 * Reads the arrivals next to the key, and goes further only for want of posts. So a page
 * costs one look per person of the home and the few posts found there, both where they
 * write all the time and where they wrote last year.
 */
async function listOfPosts(
  { read, windows }: EntriesDeps,
  { userId, personId }: Author,
  { list, reshares }: EntryChoice,
  page: Page,
  last: number,
): Promise<HomeEntry[]> {
  const { limit, offset } = page;
  const direction = directionOf(page);
  const form = { isOfAspects: list !== undefined, reshares, direction };
  const values = {
    ...{ userId, personId, limit, offset },
    aspects: list ?? "[]",
  };
  return readWindows(windows, page, {
    home: [userId, list, reshares].join(),
    first: Math.max(FIRST_WINDOW, GROWTH * offset),
    last: last + 1,
    read: (part) => listPart(read, form, { ...values, ...part }),
  });
}

async function listOfReplies(
  { read, windows }: EntriesDeps,
  { userId, personId }: Author,
  { list, replies }: EntryChoice,
  page: Page,
  last: number,
): Promise<ReplyEntry[]> {
  if (replies === "none") return [];
  const { limit } = page;
  const direction: OrderByDirection = directionOf(page);
  const form = { isOfAspects: list !== undefined, replies, direction };
  const values = { ...{ userId, personId, limit }, aspects: list ?? "[]" };
  return readWindows(windows, page, {
    home: [userId, list, "replies", replies].join(),
    first: FIRST_WINDOW_OF_REPLIES * KEYS_PER_POST,
    last: (last + 1) * KEYS_PER_POST,
    read: (part) => listReplies(read, form, { ...values, ...part }),
  });
}

type Windowed<Entry> = {
  /** The name under which the reach of its first page is kept. */
  readonly home: string;
  /** The size of the first window. */
  readonly first: number;
  /** A key behind the last place. */
  readonly last: number;
  readonly read: (part: { low: number; high: number }) => Promise<Entry[]>;
};

async function readWindows<Entry extends { readonly position: number }>(
  windows: HomeWindows,
  page: Page,
  { home, first, last, read }: Windowed<Entry>,
): Promise<Entry[]> {
  const { limit, before, after } = page;
  const direction = directionOf(page);
  const low = after ?? 0;
  const high = Math.min(before ?? Infinity, last);
  const isFirstPage = before === undefined && after === undefined;
  const usual = isFirstPage ? (windows.get(home) ?? 0) : 0;
  let size = Math.max(first, usual);
  for (; ; size *= GROWTH) {
    const isWhole = size >= high - low - 1;
    const part =
      direction === "desc"
        ? { low: isWhole ? low : high - 1 - size, high }
        : { low, high: isWhole ? high : low + 1 + size };
    const found = await read(part);
    if (!isWhole && found.length < limit) continue;
    // A home without a whole page needs all arrivals the next time, too.
    const end = found.length < limit ? 0 : (found.at(-1)?.position ?? 0);
    if (isFirstPage) windows.set(home, Math.ceil((high - end) * SPARE));
    return found;
  }
}
