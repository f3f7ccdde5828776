import type { Viewer } from "../../../features/visibility/index.ts";
import { Type } from "../../../lib/json-schema.ts";
import type { LikeableKey } from "../../../features/likes/index.ts";

import { flag, readInput } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { isGuid } from "../../../lib/guids.ts";
import { getComment } from "./comments-routes.ts";
import { getPost } from "./posts-routes.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import { presentLike, presentReaction } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

const LIKE = Type.Object({ positive: flag("false for a dislike") });

type FindTarget = (identifier: string, viewer: Viewer) => Promise<LikeableKey>;

/** The emoji reactions of people elsewhere. */
export function reactionsRoutes(deps: PresentPostsDeps): ApiRoute[] {
  return [
    reactionsRoute(deps, "Post", (id, viewer) => getPost(deps, id, viewer)),
    reactionsRoute(deps, "Comment", (id, viewer) =>
      getComment(deps, id, viewer),
    ),
  ];
}

function reactionsRoute(
  { people, reactions }: PresentPostsDeps,
  type: "Post" | "Comment",
  find: (
    identifier: string,
    viewer: Viewer,
  ) => Promise<{ readonly id: number }>,
): ApiRoute {
  const word = type.toLowerCase();
  return apiRoute({
    scope: "read:statuses",
    name: `list${type}Reactions`,
    method: "GET",
    limit: "read",
    path: `/${word}s/:id/reactions`,
    summary: `Lists the emoji reactions to a ${word}, newest first.`,
    input: NO_INPUT,
    output: listOf("Reaction"),
    handle: async ({ user, path, page }) => {
      const { id } = await find(path("id"), user);
      const list = await reactions.listTo({ type, id }, user, page);
      const who = await people.listById(list.map(({ personId }) => personId));
      return list.map((it) => presentReaction(it, who.get(it.personId)));
    },
  });
}

export function likesRoutes(deps: PresentPostsDeps): ApiRoute[] {
  const { likes } = deps;
  return [
    ...routesOf(deps, "/posts/:id/likes", "Post", async (id, viewer) => ({
      post: { id: (await getPost(deps, id, viewer)).id },
    })),
    ...routesOf(deps, "/comments/:id/likes", "Comment", async (id, viewer) => ({
      comment: { id: (await getComment(deps, id, viewer)).id },
    })),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:favourites",
      name: "deleteLike",
      path: "/likes/:guid",
      summary: "Takes back your like.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const guid = path("guid");
        if (!isGuid(guid)) throw new KithError("not_found", "No such like.");
        await likes.unlike(user, { guid });
        return {};
      },
    }),
  ];
}

function routesOf(
  { likes }: PresentPostsDeps,
  path: string,
  kind: "Post" | "Comment",
  find: FindTarget,
): ApiRoute[] {
  const what = `a ${kind.toLowerCase()}`;
  return [
    apiRoute({
      scope: "read:statuses",
      name: `list${kind}Likes`,
      method: "GET",
      limit: "read",
      path,
      summary: `Lists the likes of ${what}, newest first.`,
      input: NO_INPUT,
      output: listOf("Like"),
      handle: async ({ user, path: part, page }) => {
        const target = await find(part("id"), user);
        const list = await likes.list(target, user, page);
        return list.map(presentLike);
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      path,
      scope: "write:favourites",
      name: `like${kind}`,
      summary: `Likes or dislikes ${what}.`,
      input: LIKE,
      output: one("Like"),
      handle: async ({ user, path: part, input }) => {
        const target = await find(part("id"), user);
        return presentLike(
          await likes.like(user, target, input.positive ?? true),
        );
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      path: `${path}/:positive`,
      scope: "write:favourites",
      name: `like${kind}Either`,
      summary: `Likes or dislikes ${what}.`,
      input: NO_INPUT,
      output: one("Like"),
      handle: async ({ user, path: part }) => {
        const { positive } = readInput(LIKE, { positive: part("positive") });
        const target = await find(part("id"), user);
        return presentLike(await likes.like(user, target, positive ?? true));
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      path,
      scope: "write:favourites",
      name: `unlike${kind}`,
      summary: `Takes back your like of ${what}.`,
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path: part }) => {
        await likes.unlike(user, await find(part("id"), user));
        return {};
      },
    }),
  ];
}
