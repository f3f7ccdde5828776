import type { FilterId } from "../../../features/ids.ts";
import { presentFilterStatus } from "../../entities/filter.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { invalid } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { getWriting } from "../../loading/find-writing.ts";

/** Single statuses that filters match, whatever they say. */
export function filterStatusRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { statuses } = deps.filters;
  const path = "/v2/filters/statuses/:id";
  return [
    userRoute({
      method: "GET",
      path: "/v2/filters/:id/statuses",
      scope: "read:filters",
      limit: "read",
      handle: async ({ id, viewer }) =>
        (await statuses.list(viewer.userId, id() as FilterId)).map(
          presentFilterStatus,
        ),
    }),
    userRoute({
      method: "POST",
      path: "/v2/filters/:id/statuses",
      scope: "write:filters",
      limit: "write",
      handle: async ({ id, input, viewer }) => {
        const filterId = id() as FilterId;
        const statusId = input.id("status_id");
        if (statusId === undefined) throw invalid("Status can't be blank");
        const { post, comment } = await getWriting(deps, statusId, viewer);
        return presentFilterStatus(
          await statuses.add(
            viewer.userId,
            filterId,
            comment ? { commentId: comment.id } : { postId: post.id },
          ),
        );
      },
    }),
    userRoute({
      method: "GET",
      path,
      scope: "read:filters",
      limit: "read",
      handle: async ({ id, viewer }) =>
        presentFilterStatus(await statuses.get(viewer.userId, id())),
    }),
    userRoute({
      method: "DELETE",
      path,
      scope: "write:filters",
      limit: "write",
      handle: async ({ id, viewer }) => {
        await statuses.remove(viewer.userId, id());
        return {};
      },
    }),
  ];
}
