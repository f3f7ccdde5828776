import type { BookmarkedPost } from "../../../features/bookmarks/index.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { OF_STATUSES, readKeyedPage, readAskedPage } from "../../kit/paging.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { listWritings } from "../../loading/find-writing.ts";
import { loadPostStatuses, loadStatuses } from "../../loading/load-statuses.ts";

/** Bookmarks and favourites. */
export function keepingRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { bookmarks, likes } = deps;
  return [
    userRoute({
      method: "GET",
      path: "/v1/bookmarks",
      scope: "read:bookmarks",
      limit: "read",
      handle: async (call) => {
        const { viewer } = call;
        const found = await readKeyedPage<BookmarkedPost>(
          call,
          OF_STATUSES,
          ({ post, place }) => ({ id: post.id, place }),
          (page) => bookmarks.list(viewer, page),
        );
        const posts = found.map(({ post }) => post);
        return loadPostStatuses(deps, posts, viewer);
      },
    }),
    userRoute({
      method: "GET",
      path: "/v1/favourites",
      scope: "read:favourites",
      limit: "read",
      handle: async ({ input, link, viewer }) => {
        const page = readAskedPage(input, OF_STATUSES);
        const found = await likes.listLikedBy(viewer, page);
        link(
          page,
          found.map(({ id }) => id),
        );
        const ids = found.map(({ postId, commentId }) => commentId ?? postId);
        const writings = await listWritings(deps, ids, viewer);
        return loadStatuses(deps, writings, viewer);
      },
    }),
  ];
}
