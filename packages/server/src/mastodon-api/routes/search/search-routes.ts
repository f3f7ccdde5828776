import type { SignedIn } from "../../../features/accounts/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Page } from "../../../features/page.ts";
import type { Person } from "../../../features/people/index.ts";
import { formatHandle, parseHandle } from "../../../lib/handle.ts";
import { parseTag } from "../../../lib/markdown/tags.ts";
import { presentTag } from "../../entities/small.ts";
import type { Writing } from "../../entities/status.ts";
import type { Input } from "../../kit/input.ts";
import {
  publicRoute,
  userRoute,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { readLimit, readOffset } from "../../kit/paging.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadAccounts } from "../../loading/load-accounts.ts";
import { loadStatuses } from "../../loading/load-statuses.ts";
import { readOwnTags } from "./tag-routes.ts";

const SIZE = { usual: 20, most: 40 };

/** Looks for people, posts and tags. */
export function searchingRoutes(deps: MastodonDeps): MastodonRoute[] {
  return [
    publicRoute({
      method: "GET",
      path: "/v2/search",
      scope: "read:search",
      limit: "costly",
      handle: async ({ input, viewer }) => search(deps, input, viewer),
    }),
    userRoute({
      method: "GET",
      path: "/v1/accounts/search",
      scope: "read:accounts",
      limit: "costly",
      handle: async ({ input, viewer }) => {
        const found = await findPeople(deps, input, viewer);
        return loadAccounts(deps, found, viewer);
      },
    }),
  ];
}

function pageOf(input: Input): Page {
  return { offset: readOffset(input), limit: readLimit(input, SIZE) };
}

const queryOf = (input: Input): string => input.filled("q") ?? "";

async function search(
  deps: MastodonDeps,
  input: Input,
  viewer: SignedIn | null,
): Promise<Entity> {
  const type = input.filled("type");
  const isWanted = (name: string) => type === undefined || type === name;
  const addressed =
    viewer && input.flag("resolve") && isAddress(queryOf(input))
      ? await findAddressed(deps, queryOf(input), viewer)
      : undefined;
  if (addressed) {
    const { person, writing } = addressed;
    const isPost = writing !== undefined;
    const people = !isPost && isWanted("accounts") ? [person] : [];
    const writings = isPost && isWanted("statuses") ? [writing] : [];
    return {
      accounts: await loadAccounts(deps, people, viewer),
      statuses: await loadStatuses(deps, writings, viewer),
      hashtags: [],
    };
  }
  const people = isWanted("accounts")
    ? await findPeople(deps, input, viewer)
    : [];
  return {
    accounts: await loadAccounts(deps, people, viewer),
    statuses: isWanted("statuses")
      ? await findStatuses(deps, input, viewer)
      : [],
    hashtags: isWanted("hashtags") ? await findTags(deps, input, viewer) : [],
  };
}

const isAddress = (q: string): boolean => /^https?:\/\/\S+$/i.test(q);

/** Finds a person or a status by its address, here or on the network. */
async function findAddressed(
  deps: MastodonDeps,
  address: string,
  viewer: SignedIn,
): Promise<{ person: Person; writing: Writing | undefined } | undefined> {
  const found = await deps.find(address, viewer);
  if (!found) return undefined;
  const { person, thing } = found;
  if (!thing) return { person, writing: undefined };
  const { guid } = thing;
  const comment =
    thing.type === "Comment"
      ? ((await deps.comments.findVisible({ guid }, viewer)) ?? null)
      : null;
  const key = comment ? { id: comment.postId } : { guid };
  const post = await deps.posts.findVisible(key, viewer);
  return post && { person, writing: { post, comment } };
}

/** By a handle, on the network if that is asked for, or by words. */
async function findPeople(
  deps: MastodonDeps,
  input: Input,
  viewer: SignedIn | null,
): Promise<Person[]> {
  const found = await findAnyPeople(deps, input, viewer);
  if (viewer === null || input.flag("following") !== true) return found;
  const ids = found.map(({ id }) => id);
  const known = await deps.contacts.listAmong(viewer.userId, ids);
  return found.filter(({ id }) => known.get(id)?.following);
}

async function findAnyPeople(
  { find, host, people, search: words }: MastodonDeps,
  input: Input,
  viewer: SignedIn | null,
): Promise<Person[]> {
  const q = queryOf(input);
  if (q === "" || isAddress(q)) return [];
  const handle = parseHandle(
    q.includes("@", 1) ? q : `${q.replace(/^@/, "")}@${host}`,
  );
  const known = handle && (await people.find({ handle: formatHandle(handle) }));
  const named = known?.state === "active" ? [known] : [];
  if (viewer === null) return named;
  const isWhole = q.includes("@", 1) && handle !== undefined;
  if (isWhole && named.length === 0 && input.flag("resolve")) {
    const found = await find(formatHandle(handle), viewer);
    return found ? [found.person] : [];
  }
  const page = pageOf(input);
  if (isWhole) return page.offset === 0 ? named : [];
  const others = await words.people(viewer, q.replace(/^@/, ""), page);
  const first = page.offset === 0 ? named : [];
  return [...first, ...others.filter(({ id }) => id !== known?.id)].slice(
    0,
    page.limit,
  );
}

async function findStatuses(
  deps: MastodonDeps,
  input: Input,
  viewer: SignedIn | null,
): Promise<Entity[]> {
  const q = queryOf(input);
  if (viewer === null || q === "" || isAddress(q)) return [];
  const by = input.id("account_id");
  const author = by === undefined ? undefined : await findAuthor(deps, by);
  if (by !== undefined && !author) return [];
  const asked = author ? `from:${author.handle} ${q}` : q;
  const { posts } = await deps.search.posts(viewer, asked, {}, pageOf(input));
  return loadStatuses(
    deps,
    posts.map((post) => ({ post, comment: null })),
    viewer,
  );
}

const findAuthor = ({ people }: MastodonDeps, id: number) =>
  people.find({ id: id as PersonId });

/** By their beginning, in alphabetical order. */
async function findTags(
  deps: MastodonDeps,
  input: Input,
  viewer: SignedIn | null,
): Promise<Entity[]> {
  const tag = parseTag(queryOf(input).replace(/^#/, ""));
  if (tag === undefined) return [];
  if (viewer === null) return [presentTag(deps.site, tag, undefined)];
  const found = await deps.search.tags(viewer, tag, pageOf(input));
  const own = await readOwnTags(deps, viewer.userId);
  return found.map((name) => presentTag(deps.site, name, own(name)));
}
