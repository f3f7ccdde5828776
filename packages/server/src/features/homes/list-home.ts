import type { Db } from "../../db/db.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";
import { KithError } from "../../lib/errors.ts";
import type { Aspects } from "../aspects/index.ts";
import type { AspectId, PostId } from "../ids.ts";
import { withoutHiddenPlaces } from "../visibility/index.ts";
import { directionOf, isReadBackwards, type Page } from "../page.ts";
import type { Author, Post, Posts } from "../posts/index.ts";
import { findLast, listPart, type HomeEntry } from "./home-queries.ts";
import type { PlaceArrivals } from "./place-arrivals.ts";
import { listResharers, type Resharers } from "./resharer-queries.ts";

/** Which part of a home is listed. */
export type HomeChoice = {
  /** Only these of the user's aspects; the whole home if there are none. */
  readonly aspectIds: readonly AspectId[];
  /** Also posts that are there because somebody reshared them? */
  readonly reshares: boolean;
  /** `false`: not who reshared each post, which is a query of its own. */
  readonly namesResharers?: boolean;
};

/** A post in a home. */
export type HomePost = {
  readonly post: Post;
  /** Its place in the home, by which pages go on. */
  readonly id: number;
  readonly resharedBy: Resharers;
  /** The post itself, or the reshare that brought it. */
  readonly broughtBy: PostId;
};

export type ListHomeDeps = {
  readonly db: Pick<Db, "read">;
  readonly posts: Pick<Posts, "listById">;
  readonly aspects: Pick<Aspects, "findAll">;
  readonly place: PlaceArrivals;
  readonly windows: HomeWindows;
};

/** How many arrivals back the first page of each home lately reached. */
export type HomeWindows = ReturnType<typeof createHomeWindows>;

const WINDOWS_KEPT = 10_000;

export function createHomeWindows() {
  return createLruCache<string, number>({ max: WINDOWS_KEPT });
}

/** Nothing is returned beyond it, so that no offset costs more steps than this. */
const DEEPEST = 100_000;
const NOBODY: Resharers = { people: [], count: 0 };

/**
 * Lists one page of a user's home, the posts that came last first. Each post is there once,
 * in the place of what first brought it: itself, or the first reshare of it. The keys of
 * the page are the places of `HomePost`. Posts that a filter of the user hides are left out.
 * @throws {KithError} `not_found` for another's aspect
 */
export async function listHome(
  deps: ListHomeDeps,
  user: Author,
  choice: HomeChoice,
  page: Page,
): Promise<HomePost[]> {
  const { db, aspects } = deps;
  const { aspectIds, reshares } = choice;
  const wanted = [...new Set(aspectIds)];
  if (wanted.length > 0) {
    const own = await aspects.findAll(db.read, user.userId, wanted);
    if (own.length < wanted.length)
      throw new KithError("not_found", "No such aspect.");
  }
  await deps.place();
  const list = wanted.length > 0 ? JSON.stringify(wanted) : undefined;
  const namesResharers = reshares && choice.namesResharers !== false;
  return withoutHiddenPlaces(db.read, user, page, (part) =>
    listPlaces(deps, user, { list, reshares, namesResharers }, part),
  );
}

async function listPlaces(
  deps: ListHomeDeps,
  user: Author,
  choice: {
    readonly list: string | undefined;
    readonly reshares: boolean;
    readonly namesResharers: boolean;
  },
  page: Page,
): Promise<HomePost[]> {
  const { db, posts } = deps;
  const found = await listEntries(deps, user, choice, page);
  const entries = isReadBackwards(page) ? found.reverse() : found;
  const ids = entries.map(({ rootId }) => rootId);
  const [shown, resharers] = await Promise.all([
    posts.listById(ids, user),
    choice.namesResharers
      ? listResharers(db.read, user, choice.list, ids)
      : undefined,
  ]);
  const byId = new Map(shown.map((post) => [post.id, post]));
  return entries.flatMap(({ rootId, position, broughtBy }) => {
    const post = byId.get(rootId);
    const resharedBy = resharers?.get(rootId) ?? NOBODY;
    return post ? [{ post, id: position, resharedBy, broughtBy }] : [];
  });
}

/**
 * So many arrivals are looked at first, or somewhat more than the first page reached last
 * time; each time too few were found, more of them.
 */
const FIRST_WINDOW = 1_000;
const GROWTH = 8;
const SPARE = 1.25;

/**
 * Reads the arrivals next to the key, and goes further only for want of posts. So a page
 * costs one look per person of the home and the few posts found there, both where they
 * write all the time and where they wrote last year.
 */
async function listEntries(
  { db: { read }, windows }: ListHomeDeps,
  { userId, personId }: Author,
  { list, reshares }: { list: string | undefined; reshares: boolean },
  page: Page,
): Promise<HomeEntry[]> {
  const { limit, offset } = page;
  if (offset >= DEEPEST) return [];
  const direction = directionOf(page);
  const form = { isOfAspects: list !== undefined, reshares, direction };
  const values = {
    ...{ userId, personId, limit, offset },
    aspects: list ?? "[]",
  };
  const low = page.after ?? 0;
  const high = Math.min(page.before ?? Infinity, (await findLast(read)) + 1);
  const isFirstPage = page.before === undefined && page.after === undefined;
  const home = [userId, list, reshares].join();
  const usual = isFirstPage ? (windows.get(home) ?? 0) : 0;
  let size = Math.max(FIRST_WINDOW, GROWTH * offset, usual);
  for (; ; size *= GROWTH) {
    const isWhole = size >= high - low - 1;
    const part =
      direction === "desc"
        ? { low: isWhole ? low : high - 1 - size, high }
        : { low, high: isWhole ? high : low + 1 + size };
    const found = await listPart(read, form, { ...values, ...part });
    if (!isWhole && found.length < limit) continue;
    // A home without a whole page needs all arrivals the next time, too.
    const end = found.length < limit ? 0 : (found.at(-1)?.position ?? 0);
    if (isFirstPage) windows.set(home, Math.ceil((high - end) * SPARE));
    return found;
  }
}
