import {
  publicRoute,
  userRoute,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readAskedPage } from "../../kit/paging.ts";
import { notFound } from "../../kit/refusals.ts";
import { toWireId } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import {
  getOriginal,
  getWriting,
  listWritings,
} from "../../loading/find-writing.ts";
import { loadAccountsById } from "../../loading/load-accounts.ts";
import { loadStatus, loadStatuses } from "../../loading/load-statuses.ts";
import { loadContext } from "../../loading/load-context.ts";
import { loadHistory } from "../../loading/load-history.ts";

/** Reads statuses by their ids. */
export function statusReadingRoutes(deps: MastodonDeps): MastodonRoute[] {
  return [
    publicRoute({
      method: "GET",
      path: "/v1/statuses/:id",
      scope: "read:statuses",
      limit: "read",
      handle: async ({ id, viewer }) =>
        loadStatus(deps, await getWriting(deps, id(), viewer), viewer),
    }),
    publicRoute({
      method: "GET",
      path: "/v1/statuses",
      scope: "read:statuses",
      limit: "read",
      handle: async ({ input, viewer }) => {
        const ids = [...input.ids("id"), ...input.ids("ids")].slice(0, 40);
        const found = await listWritings(deps, ids, viewer);
        return loadStatuses(deps, found, viewer);
      },
    }),
    publicRoute({
      method: "GET",
      path: "/v1/statuses/:id/context",
      scope: "read:statuses",
      limit: "read",
      handle: async ({ id, viewer }) =>
        loadContext(deps, await getOriginal(deps, id(), viewer), viewer),
    }),
    userRoute({
      method: "GET",
      path: "/v1/statuses/:id/source",
      scope: "read:statuses",
      limit: "read",
      handle: async ({ id, viewer }) => {
        const { post, comment } = await getWriting(deps, id(), viewer);
        const { text, warning, personId } = comment ?? post;
        if (personId !== viewer.personId) throw notFound();
        return {
          id: toWireId(comment?.id ?? post.id),
          text,
          spoiler_text: warning ?? "",
        };
      },
    }),
    publicRoute({
      method: "GET",
      path: "/v1/statuses/:id/history",
      scope: "read:statuses",
      limit: "read",
      handle: async ({ id, viewer }) =>
        loadHistory(deps, await getWriting(deps, id(), viewer)),
    }),
    ...reactionLists(deps),
  ];
}

function reactionLists(deps: MastodonDeps): MastodonRoute[] {
  const { likes, posts } = deps;
  return [
    publicRoute({
      method: "GET",
      path: "/v1/statuses/:id/favourited_by",
      scope: "read:accounts",
      limit: "read",
      handle: async ({ id, input, link, viewer }) => {
        const { post, comment } = await getOriginal(deps, id(), viewer);
        const page = readAskedPage(input, OF_ACCOUNTS);
        const target = comment
          ? { comment: { id: comment.id } }
          : { post: { id: post.id } };
        const found = await likes.listLikers(target, viewer, page);
        link(
          page,
          found.map((like) => like.id),
        );
        const ids = found.map(({ personId }) => personId);
        return loadAccountsById(deps, ids, viewer);
      },
    }),
    publicRoute({
      method: "GET",
      path: "/v1/statuses/:id/reblogged_by",
      scope: "read:accounts",
      limit: "read",
      handle: async ({ id, input, link, viewer }) => {
        const { post, comment } = await getOriginal(deps, id(), viewer);
        if (comment) return [];
        const page = readAskedPage(input, OF_ACCOUNTS);
        const found = await posts.listReshares(post.guid, viewer, page);
        link(
          page,
          found.map((reshare) => reshare.id),
        );
        const ids = found.map(({ personId }) => personId);
        return loadAccountsById(deps, ids, viewer);
      },
    }),
  ];
}
