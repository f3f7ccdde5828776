import type { Pins } from "../../../features/pins/index.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import {
  presentPosts,
  type PresentPostsDeps,
} from "../../presenters/present-posts.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";
import { getPerson } from "./people-routes.ts";
import { getPost, presentOne } from "../posts/posts-routes.ts";

export type PinsRoutesDeps = PresentPostsDeps & { readonly pins: Pins };

/** The posts that people show above all others of theirs. */
export function pinsRoutes(deps: PinsRoutesDeps): ApiRoute[] {
  const { pins } = deps;
  return [
    apiRoute({
      method: "GET",
      scope: "read:statuses",
      limit: "read",
      name: "listPinnedPosts",
      path: "/people/:id/pinned",
      summary:
        "Lists the posts that a person has pinned and you may see, newest pin first.",
      description: "All of them at once, 20 at most.",
      input: NO_INPUT,
      output: listOf("Post"),
      handle: async ({ user, path }) => {
        const person = await getPerson(deps, path("id"));
        const found = await pins.listOf(person.id, user);
        return presentPosts(deps, found, user, { context: "account" });
      },
    }),
    apiRoute({
      method: "POST",
      scope: "write:accounts",
      limit: "write",
      name: "pinPost",
      path: "/posts/:id/pin",
      summary: "Pins a post of yours above all others of yours.",
      description:
        "You can pin five. A public one is also pinned on servers that speak ActivityPub; diaspora* has no pins. Reshares and conversations cannot be pinned.",
      input: NO_INPUT,
      output: one("Post"),
      errors: [400],
      handle: async ({ user, path }) => {
        const { id } = await getPost(deps, path("id"), user);
        return presentOne(deps, await pins.add(user, id), user);
      },
    }),
    apiRoute({
      method: "DELETE",
      scope: "write:accounts",
      limit: "write",
      name: "unpinPost",
      path: "/posts/:id/pin",
      summary: "Unpins a post of yours.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { id } = await getPost(deps, path("id"), user);
        await pins.remove(user, id);
        return {};
      },
    }),
  ];
}
