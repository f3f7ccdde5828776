import { isAtLeast } from "../../features/accounts/index.ts";
import { KithError } from "../../lib/errors.ts";
import { userRoute, type MastodonRoute } from "../kit/mastodon-route.ts";

/**
 * Declares a route for moderators and admins. Others are refused before anything is looked up,
 * whatever the scopes of their token.
 */
export const moderatorRoute = (
  route: Parameters<typeof userRoute>[0],
): MastodonRoute =>
  userRoute({
    ...route,
    handle: async (call) => {
      if (!isAtLeast(call.viewer.role, "moderator"))
        throw new KithError("forbidden", "Only moderators may do this.");
      return route.handle(call);
    },
  });
