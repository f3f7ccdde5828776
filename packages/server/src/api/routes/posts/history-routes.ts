import type { Texts, TextVersion } from "../../../features/texts/index.ts";
import { getComment } from "./comments-routes.ts";
import { getPost } from "./posts-routes.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import { presentVersion, type WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { listOf } from "../../schemas/schemas.ts";

export type HistoryRoutesDeps = PresentPostsDeps & { readonly texts: Texts };

/**
 * Former versions of posts and comments, visible to the viewers of the current
 * one.
 */
export function historyRoutes(deps: HistoryRoutesDeps): ApiRoute[] {
  const { texts } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listPostVersions",
      path: "/posts/:id/history",
      summary: "Lists the earlier versions of a post, newest first.",
      input: NO_INPUT,
      output: listOf("TextVersion"),
      handle: async ({ user, path, page }) => {
        const { id: postId } = await getPost(deps, path("id"), user);
        const place = { postId, commentId: null };
        return present(await texts.listVersions(place, page));
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listCommentVersions",
      path: "/comments/:id/history",
      summary: "Lists the earlier versions of a comment, newest first.",
      input: NO_INPUT,
      output: listOf("TextVersion"),
      handle: async ({ user, path, page }) => {
        const comment = await getComment(deps, path("id"), user);
        const place = { postId: comment.postId, commentId: comment.id };
        return present(await texts.listVersions(place, page));
      },
    }),
  ];
}

function present(versions: readonly TextVersion[]): WireRecord[] {
  return versions.map(presentVersion);
}
