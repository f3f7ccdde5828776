import type { Blocks, HostBlock } from "../../../features/blocks/index.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

const BLOCK = Type.Object({
  host: text("The host of another server, as in handles: example.com"),
});

export type HostBlocksRoutesDeps = { readonly blocks: Blocks };

/** Servers that a user has blocked for itself. */
export function hostBlocksRoutes({ blocks }: HostBlocksRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:blocks",
      name: "listHostBlocks",
      path: "/blocks/hosts",
      summary: "Lists the servers you have blocked, newest first.",
      input: NO_INPUT,
      output: listOf("HostBlock"),
      handle: async ({ user, page }) =>
        (await blocks.listHosts(user.personId, page)).map(presentHostBlock),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:blocks",
      name: "blockHost",
      path: "/blocks/hosts",
      summary:
        "Blocks a whole server for you: nothing of anybody there reaches you.",
      description:
        "The host is the part of handles after the @, with its port if it has one; other servers below it are not meant. Your contacts there end on both sides, as if you had blocked each of them.",
      input: BLOCK,
      needs: ["host"],
      output: one("HostBlock"),
      handle: async ({ user, input }) =>
        presentHostBlock(await blocks.blockHost(user, input.host)),
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:blocks",
      name: "unblockHost",
      path: "/blocks/hosts/:host",
      summary: "Ends your block of a server. Contacts do not come back.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await blocks.unblockHost(user, path("host"));
        return {};
      },
    }),
  ];
}

function presentHostBlock({ id, host, createdAt }: HostBlock): WireRecord {
  return { ID: id, CreatedAt: createdAt, Host: host };
}
