import {
  presentPosts,
  type PresentPostsDeps,
} from "../../presenters/present-posts.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";
import { getPost, presentOne } from "./posts-routes.ts";

/** The posts that a user keeps for later. */
export function bookmarksRoutes(deps: PresentPostsDeps): ApiRoute[] {
  const { bookmarks } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:bookmarks",
      name: "listBookmarks",
      path: "/bookmarks",
      summary:
        "Lists the posts you have bookmarked and may see, newest bookmark first.",
      input: NO_INPUT,
      output: listOf("Post"),
      handle: async ({ user, page }) =>
        presentPosts(
          deps,
          (await bookmarks.list(user, page)).map(({ post }) => post),
          user,
        ),
    }),
    addRoute(deps, "PUT", "bookmarkPost"),
    addRoute(deps, "POST", "bookmarkPostByPost"),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:bookmarks",
      name: "unbookmarkPost",
      path: "/posts/:id/bookmark",
      summary: "Removes your bookmark of a post.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { id } = await getPost(deps, path("id"), user);
        await bookmarks.remove(user, id);
        return {};
      },
    }),
  ];
}

/** With PUT for what it does, and with POST as all other actions on posts. */
function addRoute(
  deps: PresentPostsDeps,
  method: "PUT" | "POST",
  name: string,
): ApiRoute {
  return apiRoute({
    scope: "write:bookmarks",
    name,
    method,
    limit: "write",
    path: "/posts/:id/bookmark",
    summary: "Bookmarks a post, of which nobody else learns.",
    input: NO_INPUT,
    output: one("Post"),
    handle: async ({ user, path }) => {
      const { id } = await getPost(deps, path("id"), user);
      return presentOne(deps, await deps.bookmarks.add(user, id), user);
    },
  });
}
