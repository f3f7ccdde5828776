import type {
  HeldTexts,
  ShownHeldText,
} from "../../../features/held-texts/index.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { presentPerson, type WireRecord } from "../../schemas/records.ts";
import { EMPTY, listOf } from "../../schemas/schemas.ts";

export type HeldTextsRoutesDeps = { readonly heldTexts: HeldTexts };

const MESSAGE = Type.Object({
  message: text(
    "Words for an author here, who reads them: at most 1,000 characters",
  ),
});

/** Texts that rules against spam hold until a moderator decides. */
export function heldTextsRoutes({
  heldTexts,
}: HeldTextsRoutesDeps): ApiRoute[] {
  const deciding = {
    method: "POST",
    forRole: "moderator",
    limit: "write",
    scope: "admin:write:reports",
    errors: [409],
    output: EMPTY,
  } as const;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listOwnHeldTexts",
      path: "/held_texts",
      summary:
        "Lists your texts that wait for a moderator, newest first: nobody else sees them.",
      input: NO_INPUT,
      output: listOf("HeldText"),
      handle: async ({ user, page }) =>
        (await heldTexts.listOf(user.personId, page)).map(presentHeld),
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:statuses",
      name: "withdrawHeldText",
      path: "/held_texts/:id",
      summary: "Deletes a text of yours that waits for a moderator.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await heldTexts.withdraw(user.personId, readIdOrNone(path("id")));
        return {};
      },
    }),
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read:reports",
      name: "listHeldTexts",
      path: "/admin/held-texts",
      summary:
        "Lists the texts that rules hold until a moderator decides, newest first.",
      input: NO_INPUT,
      output: listOf("HeldText"),
      handle: async ({ page }) => (await heldTexts.list(page)).map(presentHeld),
    }),
    apiRoute({
      ...deciding,
      name: "approveHeldText",
      path: "/admin/held-texts/:id/approve",
      summary:
        "Approves a held text: it is delivered, and people are notified, as if it came now.",
      input: NO_INPUT,
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id"));
        await heldTexts.decide(user, id, "approve");
        return {};
      },
    }),
    apiRoute({
      ...deciding,
      name: "refuseHeldText",
      path: "/admin/held-texts/:id/refuse",
      summary:
        "Refuses a held text and deletes it. An author here is notified, and may appeal.",
      input: MESSAGE,
      handle: async ({ user, path, input }) => {
        const id = readIdOrNone(path("id"));
        await heldTexts.decide(user, id, "refuse", input.message);
        return {};
      },
    }),
  ];
}

const presentHeld = (held: ShownHeldText): WireRecord => ({
  ID: held.id,
  Guid: held.guid,
  CreatedAt: held.createdAt,
  Type: held.kind,
  Text: held.text,
  ContentWarning: held.warning,
  Public: held.isPublic,
  PostGuid: held.on,
  Rule: held.rule,
  Person: held.author ? presentPerson(held.author) : null,
});
