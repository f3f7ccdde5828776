import { Type } from "../../../lib/json-schema.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";
import type { PostId } from "../../../features/ids.ts";
import type { Page } from "../../../features/page.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import {
  MAX_QUERY_LENGTH,
  type Search,
} from "../../../features/search/index.ts";
import { uint } from "../../../http/input/input.ts";
import { formatHandle, parseHandle } from "../../../lib/handle.ts";
import { apiRoute, type ApiRoute } from "../../kit/route.ts";
import { presentPosts } from "../../presenters/present-posts.ts";
import { presentPerson } from "../../schemas/records.ts";
import { one } from "../../schemas/schemas.ts";
import type { PeopleRoutesDeps } from "./people-routes.ts";

export type SearchRoutesDeps = PeopleRoutesDeps & { readonly search: Search };

const TYPES = ["posts", "people", "tags"] as const;
type Kind = (typeof TYPES)[number];

const SEARCH = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: MAX_QUERY_LENGTH,
      description:
        'What to search for: words, "phrases", -words, #tags, and for posts the operators from:, has:, before:, after: and in:; or the handle or address of a person or a post',
    }),
  ),
  type: Type.Optional(
    Type.String({
      enum: [...TYPES],
      description: "What is wanted; everything, if not said",
    }),
  ),
  before: uint("Posts older than the one with this id"),
  after: uint("Posts newer than the one with this id"),
});

const DESCRIPTION = `Finds your own posts, those that you received or took part in, and public posts of people who allow it, newest first. \`from:\` takes a handle or \`me\`, \`has:\` one of \`media\`, \`photo\`, \`poll\`, \`link\` and \`event\`, \`before:\` and \`after:\` a day such as \`2026-12-31\` (UTC; the day itself is not found), \`in:\` \`public\`, \`library\` (what you wrote, received or took part in) or the name of an aspect. A minus leaves out. Other words with a colon are words. With \`before\` or \`after\` the list goes on from a post; with \`after\` alone it is the page next to that post. \`Incomplete\` says that more could be found with a narrower search, or once the index is filled.`;

/** A handle or an address of the web, and nothing else. */
function readAddress(q: string): string | undefined {
  const trimmed = q.trim();
  if (/^https?:\/\/\S+$/i.test(trimmed)) return trimmed;
  const handle = parseHandle(trimmed);
  return handle && formatHandle(handle);
}

type Results = {
  readonly people: readonly Person[];
  readonly posts: readonly Post[];
  readonly tags: readonly string[];
  readonly isCut: boolean;
};

export function searchRoutes(deps: SearchRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "costly",
      scope: "read:search",
      name: "search",
      path: "/search",
      summary: "Searches posts, people and tags.",
      description: DESCRIPTION,
      input: SEARCH,
      needs: ["q"],
      output: one("SearchResult"),
      handle: async ({ user, input, page }) => {
        const kinds = TYPES.filter((it) => (input.type ?? it) === it);
        const isFirst =
          input.before === undefined &&
          input.after === undefined &&
          page.offset === 0;
        const found =
          (isFirst && (await findAddressed(deps, user, input.q, kinds))) ||
          (await findByWords(deps, user, input, kinds, page));
        return present(deps, user, found);
      },
    }),
  ];
}

/** @returns undefined unless it is the handle or the address of something */
async function findAddressed(
  deps: SearchRoutesDeps,
  user: SignedIn,
  q: string,
  kinds: readonly Kind[],
): Promise<Results | undefined> {
  const address = readAddress(q);
  if (address === undefined || kinds.every((kind) => kind === "tags"))
    return undefined;
  const found = await deps.find(address, user);
  if (!found) return undefined;
  const post = found.thing && (await findPost(deps, user, found.thing));
  const results = {
    people: post || !kinds.includes("people") ? [] : [found.person],
    posts: post && kinds.includes("posts") ? [post] : [],
    tags: [],
    isCut: false,
  };
  const isNothing = results.people.length + results.posts.length === 0;
  return isNothing ? undefined : results;
}

/** The post itself, or the one with the comment. */
async function findPost(
  { posts, comments }: SearchRoutesDeps,
  user: SignedIn,
  { type, guid }: { readonly type: string; readonly guid: string },
): Promise<Post | undefined> {
  if (type === "Post") return posts.findVisible({ guid }, user);
  const comment = await comments.findVisible({ guid }, user);
  return comment && posts.findVisible({ id: comment.postId }, user);
}

async function findByWords(
  { search }: SearchRoutesDeps,
  user: SignedIn,
  {
    q,
    before,
    after,
  }: {
    readonly q: string;
    readonly before?: number | undefined;
    readonly after?: number | undefined;
  },
  kinds: readonly Kind[],
  page: Page,
): Promise<Results> {
  const keys = {
    ...(before !== undefined && { before: before as PostId }),
    ...(after !== undefined && { after: after as PostId }),
  };
  const { posts, isCut } = kinds.includes("posts")
    ? await search.posts(user, q, keys, page)
    : { posts: [], isCut: false };
  return {
    posts,
    isCut,
    people: kinds.includes("people") ? await search.people(user, q, page) : [],
    tags: kinds.includes("tags") ? await search.tags(user, q, page) : [],
  };
}

async function present(
  deps: SearchRoutesDeps,
  user: SignedIn,
  { people, posts, tags, isCut }: Results,
) {
  const People = [];
  for (const person of people) {
    const nearness = await deps.contacts.nearnessOf(user, person.id);
    People.push(presentPerson(person, nearness));
  }
  return {
    People,
    Posts: await presentPosts(deps, posts, user),
    Tags: tags,
    Incomplete: isCut,
  };
}
