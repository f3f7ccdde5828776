import type { Directory } from "../../../features/directory/index.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readLimit, readOffset } from "../../kit/paging.ts";
import { invalid } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadAccountsById } from "../../loading/load-accounts.ts";

type Deps = MastodonDeps & { readonly directory: Directory };

/** The directory goes no further. */
const MOST_SKIPPED = 10_000;

/** People who want to be found, and those whom the user may want to follow. */
export function directoryRoutes(deps: Deps): MastodonRoute[] {
  const suggest = async ({ input, viewer }: UserCall): Promise<Entity[]> => {
    const limit = readLimit(input, OF_ACCOUNTS);
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
          offset: readOffset(input, MOST_SKIPPED),
          limit: readLimit(input, OF_ACCOUNTS),
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
