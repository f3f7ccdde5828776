import { Type } from "../../../lib/json-schema.ts";
import {
  invitationLink,
  INVITATION_BOUNDS,
  type Invitation,
  type Invitations,
} from "../../../features/invitations/index.ts";
import type { InvitationId } from "../../../features/ids.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type InvitationsRoutesDeps = {
  readonly invitations: Invitations;
  /** Without a trailing slash. */
  readonly baseUrl: string;
};

const upTo = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

const WANTED = Type.Object({
  uses: upTo(
    INVITATION_BOUNDS.maxUses,
    "For how many accounts it is, 1 where not said",
  ),
  days: upTo(
    INVITATION_BOUNDS.maxDays,
    "For how many days it is, 7 where not said",
  ),
});

export function invitationsRoutes(deps: InvitationsRoutesDeps): ApiRoute[] {
  return [...own(deps), ...everybodys(deps)];
}

/** Routes for those who may invite: admins, or everyone, by configuration. */
function own({ invitations, baseUrl }: InvitationsRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:accounts",
      name: "listInvitations",
      path: "/invitations",
      summary: "Lists your invitations, newest first.",
      input: NO_INPUT,
      output: listOf("Invitation"),
      errors: [403],
      handle: async ({ user, page }) =>
        (await invitations.listOwn(user, page)).map((it) =>
          present(invitations, it),
        ),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:accounts",
      name: "createInvitation",
      path: "/invitations",
      summary:
        "Creates an invitation, with which people can sign up even where registration is closed. Its link is shown only once.",
      input: WANTED,
      output: one("NewInvitation"),
      errors: [403, 409],
      handle: async ({ user, input }) => {
        const { invitation, code } = await invitations.create(user, input);
        const Url = invitationLink(baseUrl, code);
        return { ...present(invitations, invitation), Url };
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:accounts",
      name: "revokeInvitation",
      path: "/invitations/:id",
      summary: "Takes back one of your invitations.",
      input: NO_INPUT,
      output: EMPTY,
      errors: [403],
      handle: async ({ user, path }) => {
        await invitations.revokeOwn(user, idOf(path("id")));
        return {};
      },
    }),
  ];
}

function everybodys({ invitations }: InvitationsRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      forRole: "admin",
      limit: "read",
      scope: "admin:read:accounts",
      name: "listAllInvitations",
      path: "/admin/invitations",
      summary: "Lists everybody's invitations, newest first.",
      input: NO_INPUT,
      output: listOf("Invitation"),
      handle: async ({ page }) =>
        (await invitations.list(page)).map((it) => present(invitations, it)),
    }),
    apiRoute({
      method: "DELETE",
      forRole: "admin",
      limit: "write",
      scope: "admin:write:accounts",
      name: "revokeAnyInvitation",
      path: "/admin/invitations/:id",
      summary: "Takes back anybody's invitation.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await invitations.revoke(user, idOf(path("id")));
        return {};
      },
    }),
  ];
}

function idOf(text: string): InvitationId {
  return readIdOrNone(text) as InvitationId;
}

function present(invitations: Invitations, it: Invitation): WireRecord {
  return {
    ID: it.id,
    CreatedAt: it.createdAt,
    By: it.byName,
    State: invitations.stateOf(it),
    Uses: it.uses,
    MaxUses: it.maxUses,
    ExpiresAt: it.expiresAt,
  };
}
