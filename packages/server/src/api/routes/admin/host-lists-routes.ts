import { Type } from "../../../lib/json-schema.ts";
import {
  MAX_LIST_LENGTH,
  type HostListImport,
  type HostPolicies,
  type PlannedLine,
} from "../../../features/host-policies/index.ts";
import { flag, text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { listOf, one } from "../../schemas/schemas.ts";

export type HostListsRoutesDeps = {
  readonly hostPolicies: Pick<HostPolicies, "lists">;
};

const IMPORT = Type.Object({
  list: text(
    `A CSV file of hosts as Mastodon exports it, or one name on each line; at most ${MAX_LIST_LENGTH} characters`,
  ),
  dry_run: flag("Shows what it would do, and changes nothing"),
});

/** Lists of decisions about other servers. */
export function hostListsRoutes({
  hostPolicies: { lists },
}: HostListsRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read:domain_blocks",
      name: "exportHostPolicies",
      path: "/admin/hosts/list",
      summary: "Writes the decisions about other servers as a CSV file.",
      input: NO_INPUT,
      output: one("HostList"),
      handle: async () => ({ List: await lists.write() }),
    }),
    apiRoute({
      method: "POST",
      forRole: "admin",
      limit: "costly",
      scope: "admin:write:domain_blocks",
      name: "importHostPolicies",
      path: "/admin/hosts/list",
      summary: "Takes over a list of decisions about other servers.",
      description:
        "A list makes decisions stricter and takes none back; servers that were allowed here stay so. The whole import can be undone.",
      input: IMPORT,
      needs: ["list"],
      output: one("HostImport"),
      handle: async ({ user, input }) => {
        if (input.dry_run)
          return presentImport(undefined, await lists.preview(input.list));
        const { id, lines } = await lists.apply(user, input.list);
        return presentImport(id, lines);
      },
    }),
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read:domain_blocks",
      name: "listHostImports",
      path: "/admin/hosts/imports",
      summary: "Lists the imports of lists, newest first.",
      input: NO_INPUT,
      output: listOf("HostImportDone"),
      handle: async ({ page }) => (await lists.list(page)).map(presentDone),
    }),
    apiRoute({
      method: "DELETE",
      forRole: "admin",
      limit: "write",
      scope: "admin:write:domain_blocks",
      name: "undoHostImport",
      path: "/admin/hosts/imports/:id",
      summary: "Takes back what an import changed.",
      description:
        "What was decided otherwise since stays. Contacts that ended do not come back.",
      errors: [409],
      input: NO_INPUT,
      output: one("HostImportUndone"),
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id"));
        if (id < 1) throw new KithError("not_found", "No such import.");
        const { restored, left } = await lists.undo(user, id);
        return { Restored: restored, Left: left };
      },
    }),
  ];
}

function presentImport(
  id: number | undefined,
  lines: readonly PlannedLine[],
): WireRecord {
  return { ImportID: id ?? null, Lines: lines.map(presentLine) };
}

function presentLine(planned: PlannedLine): WireRecord {
  const { line, name, outcome, change, known } = planned;
  const after = change?.after;
  return {
    ...{ Line: line, Name: name, Outcome: outcome },
    Decision: !after
      ? null
      : after.blocked
        ? "block"
        : after.silenced
          ? "silence"
          : "reject_media",
    People: known?.people ?? 0,
    Contacts: known?.contacts ?? 0,
    Posts: known?.posts ?? 0,
  };
}

const presentDone = (made: HostListImport): WireRecord => ({
  ID: made.id,
  CreatedAt: made.createdAt,
  By: made.byName,
  Hosts: made.changes.length,
  UndoneAt: made.undoneAt,
});
