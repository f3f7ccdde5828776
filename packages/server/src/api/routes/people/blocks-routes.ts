import type { Blocks, IgnoredPerson } from "../../../features/blocks/index.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { getPerson } from "./people-routes.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import { presentPerson, type WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type BlocksRoutesDeps = Pick<PresentPostsDeps, "people"> & {
  readonly blocks: Blocks;
};

const IGNORE = Type.Object({
  until: text("Until when: RFC 3339, in the future. For good where not said"),
});

export function blocksRoutes(deps: BlocksRoutesDeps): ApiRoute[] {
  return [...blocking(deps), ...ignoring(deps)];
}

function blocking(deps: BlocksRoutesDeps): ApiRoute[] {
  const { blocks } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:blocks",
      name: "listBlocks",
      path: "/blocks",
      summary: "Lists the people you have blocked, newest first.",
      input: NO_INPUT,
      output: listOf("Person"),
      handle: async ({ user, page }) =>
        (await blocks.list(user.personId, page)).map(({ person }) =>
          presentPerson(person),
        ),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:blocks",
      name: "blockPerson",
      path: "/people/:id/block",
      summary: "Blocks a person, which ends the contact on both sides.",
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
      scope: "write:blocks",
      name: "unblockPerson",
      path: "/people/:id/block",
      summary: "Ends a block. The contact does not come back.",
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
      scope: "read:mutes",
      name: "listIgnores",
      path: "/ignores",
      summary: "Lists the people you ignore, newest first.",
      input: NO_INPUT,
      output: listOf("IgnoredPerson"),
      handle: async ({ user, page }) =>
        (await blocks.listIgnored(user.personId, page)).map(presentIgnored),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:mutes",
      name: "ignorePerson",
      path: "/people/:id/ignore",
      summary: "Ignores a person, who does not learn of it.",
      input: IGNORE,
      output: one("IgnoredPerson"),
      handle: async ({ user, path, input }) => {
        const { id } = await getPerson(deps, path("id"));
        return presentIgnored(await blocks.ignore(user, id, input.until));
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:mutes",
      name: "unignorePerson",
      path: "/people/:id/ignore",
      summary: "Stops ignoring a person.",
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

function presentIgnored({ person, endsAt }: IgnoredPerson): WireRecord {
  return { ...presentPerson(person), ...(endsAt && { Until: endsAt }) };
}
