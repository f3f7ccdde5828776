import { scheduler } from "node:timers/promises";
import type { Db } from "../../db/db.ts";
import { foldText } from "../../lib/words.ts";
import { KithError } from "../../lib/errors.ts";
import type { Aspects } from "../aspects/index.ts";
import type { PersonId, PostId } from "../ids.ts";
import { MARKS, type IdRange, type Indexing } from "../indexing/index.ts";
import type { People } from "../people/index.ts";
import type { Author, Post, Posts } from "../posts/index.ts";
import { timeIdRange } from "../time-id.ts";
import { hasBlocked } from "../visibility/index.ts";
import { keepOrdered, listCandidates } from "./candidate-queries.ts";
import type { Phrase, SearchQuery } from "./search-query.ts";
import type { SearchCondition } from "./search-condition.ts";
import { listWindows, type SearchWindow } from "./search-windows.ts";

export type SearchPostsDeps = {
  readonly db: Db;
  readonly posts: Pick<Posts, "listFound">;
  readonly people: Pick<People, "find">;
  readonly aspects: Pick<Aspects, "list">;
  readonly indexing: Pick<Indexing, "isFilling">;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
};

/** Where a page of results begins; without both with the newest one. */
export type Keys = {
  /** Older than this post. */
  readonly before?: PostId;
  /** Newer than this post: the next ones after it, if nothing else is said. */
  readonly after?: PostId;
};

export type FoundPosts = {
  /** Newest first. */
  readonly posts: readonly Post[];
  /** More would be found if less were allowed for, or the index were filled. */
  readonly isCut: boolean;
};

/**
 * As many posts of the index are looked at in one search. All of them are public, or the
 * viewer's own, or were given to it: that there are many tells nothing of a post it may not see.
 */
const MAX_CANDIDATES = 10_000;
/** The first query asks for a few, the next ones for more. */
const CHUNKS = { first: 200, next: 2_000 } as const;
/** With more members an aspect is looked up for each candidate. */
const MAX_AUTHORS_IN_INDEX = 100;

type Wanted = {
  readonly condition: SearchCondition;
  readonly by?: readonly PersonId[];
};

/**
 * Searches posts, newest first. The index names candidates; the rules of visibility choose
 * from them, until the page is full.
 * @throws {KithError} `bad_request` for an aspect that the viewer does not have
 */
export async function searchPosts(
  deps: SearchPostsDeps,
  viewer: Author,
  query: SearchQuery,
  keys: Keys,
  page: { readonly offset: number; readonly limit: number },
): Promise<FoundPosts> {
  const wanted = await readWanted(deps, viewer, query);
  if (!wanted) return { posts: [], isCut: false };
  const order =
    keys.after !== undefined && keys.before === undefined ? "oldest" : "newest";
  const range = rangeOf(query, keys);
  const { windows, isCut } = await listWindows(deps.db.read, range, order);
  const found: Post[] = [];
  const enough = page.offset + page.limit;
  let left = MAX_CANDIDATES;
  for (const window of windows) {
    left -= await searchWindow(deps, viewer, wanted, window, order, {
      ...{ found, enough, left },
    });
    if (found.length >= enough || left <= 0) break;
    await scheduler.yield();
  }
  const isFull = found.length >= enough;
  const posts = found.slice(page.offset, enough);
  return {
    posts: order === "newest" ? posts : posts.toReversed(),
    isCut: !isFull && (isCut || left <= 0 || (await deps.indexing.isFilling())),
  };
}

type Progress = {
  /** Grows. */
  readonly found: Post[];
  readonly enough: number;
  readonly left: number;
};

/** @returns how many candidates were looked at */
async function searchWindow(
  { db, posts }: SearchPostsDeps,
  viewer: Author,
  { condition, by }: Wanted,
  window: SearchWindow,
  order: "newest" | "oldest",
  { found, enough, left }: Progress,
): Promise<number> {
  let rest = window;
  let seen = 0;
  let size: number = CHUNKS.first;
  while (seen < left && rest.from < rest.to) {
    const limit = Math.min(size, left - seen);
    const ids = await listCandidates(db.read, condition, rest, order, limit);
    const step = Math.max(20, 2 * (enough - found.length));
    for (let at = 0; at < ids.length && found.length < enough; at += step) {
      const some = ids.slice(at, at + step);
      seen += some.length;
      const ordered = await keepOrdered(db.read, condition, some);
      const shown = await posts.listFound(ordered, viewer, by && { by });
      found.push(...(order === "newest" ? shown : shown.toReversed()));
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < limit || found.length >= enough)
      break;
    rest = { ...rest, [order === "newest" ? "to" : "from"]: last };
    if (order === "oldest") rest = { ...rest, from: last + 1 };
    size = CHUNKS.next;
    await scheduler.yield();
  }
  return seen;
}

function rangeOf({ before, after }: SearchQuery, keys: Keys): IdRange {
  const at = (moment: Date | undefined) =>
    moment && timeIdRange("post", moment, "", moment).first;
  const end = Number.MAX_SAFE_INTEGER;
  return {
    from: Math.max(
      at(after) ?? 0,
      keys.after === undefined ? 0 : keys.after + 1,
    ),
    to: Math.min(at(before) ?? end, keys.before ?? end),
  };
}

/** @returns undefined where nothing can be found */
async function readWanted(
  deps: SearchPostsDeps,
  viewer: Author,
  query: SearchQuery,
): Promise<Wanted | undefined> {
  const { phrases, tags, from, has, not } = query;
  const authors = await listNamed(deps, viewer, from);
  if (from.length > 0 && authors.length === 0) return undefined;
  const members = await listMembers(deps, viewer, query.aspects);
  if (members?.length === 0) return undefined;
  const unwanted = await listNamed(deps, viewer, not.from);
  const one = (mark: string): Phrase[] => [[mark]];
  const anyOf = (people: readonly PersonId[]) =>
    people.map((id) => [MARKS.author(id)]);
  const isFew = members && members.length <= MAX_AUTHORS_IN_INDEX;
  return {
    condition: {
      all: [
        ...phrases.map((phrase) => [phrase]),
        ...tags.map((tag) => one(MARKS.tag(tag))),
        ...has.map((thing) => one(MARKS.thing[thing])),
        ...(authors.length > 0 ? [anyOf(authors)] : []),
        ...(isFew ? [anyOf(members)] : []),
        ...(query.isLibrary ? [one(MARKS.finder(viewer.personId))] : []),
        ...(query.isPublic ? [one(MARKS.open)] : []),
        [[MARKS.open], [MARKS.finder(viewer.personId)]],
      ],
      none: [
        ...not.phrases,
        ...not.tags.flatMap((tag) => one(MARKS.tag(tag))),
        ...not.has.flatMap((thing) => one(MARKS.thing[thing])),
        ...anyOf(unwanted),
      ],
    },
    ...(members && { by: members }),
  };
}

/** The people of these names whose posts the viewer can find: those who block it are unknown. */
async function listNamed(
  { db, people, handleHost }: SearchPostsDeps,
  viewer: Author,
  names: readonly string[],
): Promise<PersonId[]> {
  const found: PersonId[] = [];
  for (const name of names) {
    if (name === "me") {
      found.push(viewer.personId);
      continue;
    }
    const bare = name.replace(/^@/, "");
    const handle = bare.includes("@") ? bare : `${bare}@${handleHost}`;
    const person = await people.find({ handle });
    if (person && !(await hasBlocked(db.read, person.id, viewer.personId)))
      found.push(person.id);
  }
  return found;
}

/** @returns undefined if no aspect is named */
async function listMembers(
  { aspects }: SearchPostsDeps,
  { userId }: Author,
  names: readonly string[],
): Promise<PersonId[] | undefined> {
  if (names.length === 0) return undefined;
  const own = await aspects.list(userId);
  const members = new Set<PersonId>();
  for (const name of names) {
    const named = own.filter((it) => foldText(it.name) === foldText(name));
    if (named.length === 0)
      throw new KithError(
        "bad_request",
        "After in: comes public, library, or the name of one of your aspects.",
      );
    for (const { memberships } of named)
      for (const { personId } of memberships) members.add(personId);
  }
  return [...members];
}
