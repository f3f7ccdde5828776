import type { PersonId } from "../../../features/ids.ts";
import { formatHandle, parseHandle } from "../../../lib/handle.ts";
import { foldTag } from "../../../lib/markdown/tags.ts";
import {
  publicRoute,
  userRoute,
  type AnyCall,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { OF_ACCOUNTS, OF_STATUSES, readAskedPage } from "../../kit/paging.ts";
import { notFound } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import { idOfWriting, type Writing } from "../../entities/status.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import {
  getActivePerson,
  loadAccount,
  loadAccounts,
  loadAccountsById,
  loadCredentials,
} from "../../loading/load-accounts.ts";
import { loadRelationships } from "../../loading/load-relationships.ts";
import { loadStatuses } from "../../loading/load-statuses.ts";

/** People, as anybody may see them. */
export function accountReadingRoutes(deps: MastodonDeps): MastodonRoute[] {
  return [
    userRoute({
      method: "GET",
      path: "/v1/accounts/verify_credentials",
      scope: ["read:accounts", "profile"],
      limit: "read",
      handle: ({ viewer }) => loadCredentials(deps, viewer),
    }),
    publicRoute({
      method: "GET",
      path: "/v1/accounts/lookup",
      scope: "read:accounts",
      limit: "read",
      handle: async ({ input, viewer }) => {
        const person = await lookUp(deps, input.filled("acct") ?? "");
        return loadAccount(deps, person, viewer);
      },
    }),
    publicRoute({
      method: "GET",
      path: "/v1/accounts",
      scope: "read:accounts",
      limit: "read",
      handle: async ({ input, viewer }) => {
        const ids = input.ids("id").slice(0, OF_STATUSES.most) as PersonId[];
        return loadAccountsById(deps, ids, viewer);
      },
    }),
    userRoute({
      method: "GET",
      path: "/v1/accounts/relationships",
      scope: "read:follows",
      limit: "read",
      handle: async ({ input, viewer }) => {
        const ids = input.ids("id").slice(0, OF_ACCOUNTS.most);
        return loadRelationships(deps, viewer, ids as PersonId[]);
      },
    }),
    publicRoute({
      method: "GET",
      path: "/v1/accounts/:id",
      scope: "read:accounts",
      limit: "read",
      handle: async ({ id, viewer }) =>
        loadAccount(deps, await getActivePerson(deps, id()), viewer),
    }),
    publicRoute({
      method: "GET",
      path: "/v1/accounts/:id/statuses",
      scope: "read:statuses",
      limit: "read",
      handle: (call) => listStatusesOf(deps, call),
    }),
    contactsRoute(deps, "followers"),
    contactsRoute(deps, "following"),
  ];
}

/** People are found by their handle, those of this server also by their name alone. */
async function lookUp({ people, host }: MastodonDeps, acct: string) {
  const name = acct.trim().replace(/^@/, "");
  const handle = parseHandle(name.includes("@") ? name : `${name}@${host}`);
  const person =
    handle && (await people.find({ handle: formatHandle(handle) }));
  if (person?.state !== "active") throw notFound();
  return person;
}

/** Posts and comments of a person, newest first. */
async function listStatusesOf(
  deps: MastodonDeps,
  { id, input, link, viewer }: AnyCall,
): Promise<Entity[]> {
  const { id: personId } = await getActivePerson(deps, id());
  const page = readAskedPage(input, OF_STATUSES);
  const tag = input.filled("tagged");
  const withPhotos = input.flag("only_media") ?? false;
  const pinned = input.flag("pinned") ?? false;
  const posts = await deps.posts.listOf(personId, viewer, page, {
    reshares: !(input.flag("exclude_reblogs") ?? false),
    ...{ withPhotos, pinned },
    tag: tag === undefined ? undefined : foldTag(tag),
  });
  const isOfPosts =
    pinned || tag !== undefined || input.flag("exclude_replies");
  const comments = isOfPosts
    ? []
    : await listCommentsOf(deps, personId, viewer, page, { withPhotos });
  const all: Writing[] = [
    ...posts.map((post) => ({ post, comment: null })),
    ...comments,
  ];
  all.sort((a, b) => idOfWriting(b) - idOfWriting(a));
  const isUpwards = page.after !== undefined && page.before === undefined;
  const shown = isUpwards ? all.slice(-page.limit) : all.slice(0, page.limit);
  link(page, shown.map(idOfWriting));
  return loadStatuses(deps, shown, viewer, "account");
}

async function listCommentsOf(
  { comments, posts }: MastodonDeps,
  ...asked: Parameters<MastodonDeps["comments"]["listOf"]>
): Promise<Writing[]> {
  const found = await comments.listOf(...asked);
  const [, viewer] = asked;
  const ids = new Set(found.map(({ postId }) => postId));
  const on = await posts.listById([...ids], viewer);
  const byId = new Map(on.map((post) => [post.id, post]));
  return found.flatMap((comment) => {
    const post = byId.get(comment.postId);
    return post ? [{ post, comment }] : [];
  });
}

/** Nobody but the person learns who its contacts are. */
function contactsRoute(
  deps: MastodonDeps,
  direction: "followers" | "following",
): MastodonRoute {
  return publicRoute({
    method: "GET",
    path: `/v1/accounts/:id/${direction}`,
    scope: "read:accounts",
    limit: "read",
    handle: async ({ id, input, link, viewer }) => {
      const person = await getActivePerson(deps, id());
      if (viewer === null || viewer.personId !== person.id) return [];
      const page = readAskedPage(input, OF_ACCOUNTS);
      const { contacts, people } = deps;
      const found = await contacts.listWithKeys(viewer.userId, direction, page);
      link(
        page,
        found.map(({ key }) => key),
      );
      const shown = await people.listById(found.map((it) => it.personId));
      const active = found
        .flatMap((it) => shown.get(it.personId) ?? [])
        .filter(({ state }) => state === "active");
      return loadAccounts(deps, active, viewer);
    },
  });
}
