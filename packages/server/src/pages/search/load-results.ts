import type { SignedIn } from "../../features/accounts/index.ts";
import type { PostId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Keys } from "../../features/search/index.ts";
import { KithError } from "../../lib/errors.ts";
import { parseHandle } from "../../lib/handle.ts";
import type { PagesContext } from "../session/visitor.ts";

export const KINDS = ["people", "tags", "posts"] as const;
export type Kind = (typeof KINDS)[number];

/** Results of one kind, and whether there are more before and after them. */
export type Results<T> = {
  readonly items: readonly T[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
};

/** The words of a search, and the place to continue from. */
export type SearchInput = {
  readonly query: string;
  readonly offset: number;
  readonly keys: Keys;
};

/** How many are shown of each kind: beside the others, or alone. */
const SIZES = {
  people: { few: 3, all: 20 },
  tags: { few: 6, all: 50 },
  posts: { few: 10, all: 20 },
} as const;

export function sizeOf(kind: Kind, isAlone: boolean): number {
  return SIZES[kind][isAlone ? "all" : "few"];
}

/**
 * People and tags, by their names.
 * @throws {KithError} as the search does
 */
export async function loadNames<T>(
  { query, offset }: SearchInput,
  size: number,
  search: (
    query: string,
    page: { readonly offset: number; readonly limit: number },
  ) => Promise<readonly T[]>,
): Promise<Results<T>> {
  const found = await search(query, { offset, limit: size + 1 });
  return {
    items: found.slice(0, size),
    hasPrevious: offset > 0,
    hasNext: found.length > size,
  };
}

/**
 * Posts by their words, newest first.
 * @throws {KithError} as the search does
 */
export async function loadPosts(
  { search }: PagesContext,
  user: SignedIn,
  { query, keys }: SearchInput,
  size: number,
): Promise<Results<Post> & { readonly isCut: boolean }> {
  const page = { offset: 0, limit: size + 1 };
  const { posts, isCut } = await search.posts(user, query, keys, page);
  const hasMore = posts.length > size;
  // After a post come the next newer ones: the one too many is the newest.
  const isBackwards = keys.after !== undefined && keys.before === undefined;
  return {
    items: isBackwards ? posts.slice(-size) : posts.slice(0, size),
    hasPrevious: isBackwards ? hasMore : keys.before !== undefined,
    hasNext: isBackwards || hasMore,
    isCut,
  };
}

/** The person or thing at a typed address, here or on its own server. */
export async function findAddressed(
  { find }: PagesContext,
  user: SignedIn,
  query: string,
): Promise<
  { readonly person: Person; readonly path: string | undefined } | undefined
> {
  if (!isAddress(query)) return undefined;
  try {
    const found = await find(query.replace(/^@/, ""), user);
    if (!found) return undefined;
    const { person, thing } = found;
    const guid = encodeURIComponent(thing?.guid ?? "");
    const folder = thing?.type === "Comment" ? "comments" : "posts";
    return { person, path: thing && `/${folder}/${guid}` };
  } catch (error) {
    if (error instanceof KithError) return undefined;
    throw error;
  }
}

function isAddress(query: string): boolean {
  return /^https?:\/\/\S+$/i.test(query) || parseHandle(query) !== undefined;
}

/** Other text names no post. */
export function readKeys(
  before: number | undefined,
  after: number | undefined,
) {
  return {
    ...(before !== undefined && { before: before as PostId }),
    ...(after !== undefined && { after: after as PostId }),
  };
}
