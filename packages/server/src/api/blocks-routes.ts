import type { Blocks } from "../features/blocks/index.ts";
import { getPerson } from "./people-routes.ts";
import type { PresentPostsDeps } from "./present-posts.ts";
import { presentPerson } from "./records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "./route.ts";
import { EMPTY, listOf, one } from "./schemas.ts";

export type BlocksRoutesDeps = Pick<PresentPostsDeps, "people"> & {
  readonly blocks: Blocks;
};

export function blocksRoutes(deps: BlocksRoutesDeps): ApiRoute[] {
  return [...blocking(deps), ...ignoring(deps)];
}

function blocking(deps: BlocksRoutesDeps): ApiRoute[] {
  const { blocks } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      path: "/blocks",
      summary: "Lists the people whom one has blocked, newest first",
      input: NO_INPUT,
      output: listOf("Person"),
      handle: async ({ user, page }) =>
        (await blocks.list(user.personId, page)).map((it) => presentPerson(it)),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      path: "/people/:id/block",
      summary: "Blocks a person: the contact ends on both sides",
      input: NO_INPUT,
      output: one("Person"),
      handle: async ({ user, path }) => {
        const { id } = await getPerson(deps, path("id"));
        return presentPerson(await blocks.block(user, id));
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      path: "/people/:id/block",
      summary: "Ends a block; the contact does not come back",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { id } = await getPerson(deps, path("id"));
        await blocks.unblock(user, id);
        return {};
      },
    }),
  ];
}

function ignoring(deps: BlocksRoutesDeps): ApiRoute[] {
  const { blocks } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      path: "/ignores",
      summary: "Lists the people whom one ignores, newest first",
      input: NO_INPUT,
      output: listOf("Person"),
      handle: async ({ user, page }) =>
        (await blocks.listIgnored(user.personId, page)).map((it) =>
          presentPerson(it),
        ),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      path: "/people/:id/ignore",
      summary: "Ignores a person, who does not learn of it",
      input: NO_INPUT,
      output: one("Person"),
      handle: async ({ user, path }) => {
        const { id } = await getPerson(deps, path("id"));
        return presentPerson(await blocks.ignore(user, id));
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      path: "/people/:id/ignore",
      summary: "Reads a person again",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { id } = await getPerson(deps, path("id"));
        await blocks.unignore(user, id);
        return {};
      },
    }),
  ];
}
