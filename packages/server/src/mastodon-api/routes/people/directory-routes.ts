import type { Directory } from "../../../features/directory/index.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { invalid } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadAccountsById } from "../../loading/load-accounts.ts";

type Deps = MastodonDeps & { readonly directory: Directory };

const USUAL = 40;
const MOST = 80;
/** The directory goes no further. */
const MOST_SKIPPED = 10_000;

/** People who want to be found, and those whom the user may want to follow. */
export function directoryRoutes(deps: Deps): MastodonRoute[] {
  const suggest = async ({ input, viewer }: UserCall): Promise<Entity[]> => {
    const limit = Math.min(input.uint("limit") ?? USUAL, MOST);
    const ids = await deps.directory.suggest(viewer, limit);
    return loadAccountsById(deps, ids, viewer);
  };
  return [
    userRoute({
      method: "GET",
      path: "/v1/directory",
      scope: "read:accounts",
      limit: "read",
      handle: async ({ input, viewer }) => {
        const order = input.filled("order") ?? "active";
        if (order !== "active" && order !== "new")
          throw invalid("Order is not included in the list");
        const isLocal = input.flag("local") ?? false;
        const ids = await deps.directory.list(viewer, order, isLocal, {
          offset: Math.min(input.uint("offset") ?? 0, MOST_SKIPPED),
          limit: Math.min(input.uint("limit") ?? USUAL, MOST),
        });
        return loadAccountsById(deps, ids, viewer);
      },
    }),
    userRoute({
      method: "GET",
      path: "/v2/suggestions",
      scope: "read:accounts",
      limit: "read",
      handle: async (call) =>
        (await suggest(call)).map((account) => ({
          source: "past_interactions",
          sources: ["friends_of_friends"],
          account,
        })),
    }),
    userRoute({
      method: "GET",
      path: "/v1/suggestions",
      scope: "read:accounts",
      limit: "read",
      handle: suggest,
    }),
  ];
}
