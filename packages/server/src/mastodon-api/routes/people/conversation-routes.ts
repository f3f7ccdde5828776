import type { Conversation } from "../../../features/conversations/index.ts";
import type { PostId } from "../../../features/ids.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { OF_STATUSES, readKeyedPage } from "../../kit/paging.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadConversationEntities } from "../../loading/load-conversations.ts";

/** Private conversations, whose messages are direct statuses. */
export function conversationRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { conversations } = deps;
  return [
    userRoute({
      method: "GET",
      path: "/v1/conversations",
      scope: "read:statuses",
      limit: "read",
      handle: async (call) => {
        const { viewer } = call;
        const found = await readKeyedPage<Conversation>(
          call,
          OF_STATUSES,
          ({ id, activityKey }) => ({ id, place: activityKey }),
          (page) => conversations.list(viewer, page),
        );
        return loadConversationEntities(deps, found, viewer);
      },
    }),
    userRoute({
      method: "POST",
      path: "/v1/conversations/:id/read",
      scope: "write:conversations",
      limit: "write",
      handle: async ({ id, viewer }) => {
        const key = { id: id() as PostId };
        const marked = await conversations.mark(viewer, key);
        const [conversation] = await loadConversationEntities(
          deps,
          [marked],
          viewer,
        );
        return conversation;
      },
    }),
    userRoute({
      method: "DELETE",
      path: "/v1/conversations/:id",
      scope: "write:conversations",
      limit: "write",
      handle: async ({ id, viewer }) => {
        await conversations.hide(viewer, { id: id() as PostId }, "hidden");
        return {};
      },
    }),
  ];
}
