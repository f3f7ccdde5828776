import type { PostId } from "../../../features/ids.ts";
import { parseId } from "../../kit/input.ts";
import {
  publicRoute,
  userRoute,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { OF_STATUSES, readAskedPage } from "../../kit/paging.ts";
import { invalid, notFound } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { getOriginal, getWriting } from "../../loading/find-writing.ts";
import { readQuotable } from "./new-status.ts";
import { loadPostStatuses, loadStatus } from "../../loading/load-statuses.ts";

/** The statuses that quote one, and how its author takes it out of them. */
export function quoteRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { posts, quotes } = deps;
  return [
    publicRoute({
      method: "GET",
      path: "/v1/statuses/:id/quotes",
      scope: "read:statuses",
      limit: "read",
      handle: async ({ id, input, link, viewer }) => {
        const { post, comment } = await getOriginal(deps, id(), viewer);
        if (comment) return [];
        const page = readAskedPage(input, OF_STATUSES);
        const ids = await quotes.listQuoting(post.guid, viewer, page);
        link(page, ids);
        return loadPostStatuses(
          deps,
          await posts.listById(ids, viewer),
          viewer,
        );
      },
    }),
    userRoute({
      method: "PUT",
      path: "/v1/statuses/:id/interaction_policy",
      scope: "write:statuses",
      limit: "write",
      handle: async ({ id, input, viewer }) => {
        const { post, comment } = await getWriting(deps, id(), viewer);
        if ((comment ?? post).personId !== viewer.personId) throw notFound();
        if (comment) throw invalid("A reply cannot be quoted");
        const quotableBy = readQuotable(input.filled("quote_approval_policy"));
        if (quotableBy === undefined)
          throw invalid("Quote approval policy can't be blank");
        await posts.edit(
          viewer,
          { id: post.id },
          { quotableBy, isTextOptional: true },
        );
        return loadStatus(deps, await getWriting(deps, id(), viewer), viewer);
      },
    }),
    userRoute({
      method: "POST",
      path: "/v1/statuses/:id/quotes/:quoting_status_id/revoke",
      scope: "write:statuses",
      limit: "write",
      handle: async ({ id, path, viewer }) => {
        const { post, comment } = await getOriginal(deps, id(), viewer);
        const quotingId = parseId(path("quoting_status_id")) as PostId;
        const quoting = await getWriting(deps, quotingId, viewer);
        if (comment || quoting.comment) throw notFound();
        await quotes.revoke(viewer, { id: post.id }, { id: quoting.post.id });
        return loadStatus(deps, quoting, viewer);
      },
    }),
  ];
}
