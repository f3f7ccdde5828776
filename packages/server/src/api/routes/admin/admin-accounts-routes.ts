import { Type } from "../../../lib/json-schema.ts";
import type {
  AccountRecord,
  Administration,
} from "../../../features/accounts/index.ts";
import type { UserId } from "../../../features/ids.ts";
import { text } from "../../../http/input/input.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type AdminAccountsDeps = { readonly administration: Administration };

const ROLES = ["user", "moderator", "admin"] as const;
const STATES = ["active", "pending", "suspended", "closed"] as const;

const role = (description: string) =>
  Type.Optional(
    Type.Unsafe<(typeof ROLES)[number]>({
      type: "string",
      enum: [...ROLES],
      description,
    }),
  );

const FILTER = Type.Object({
  name: text("A part of the username"),
  role: role("Only those with this role"),
  state: Type.Optional(
    Type.Unsafe<(typeof STATES)[number]>({
      type: "string",
      enum: [...STATES],
      description: "Only those in this state",
    }),
  ),
});

export function adminAccountsRoutes(deps: AdminAccountsDeps): ApiRoute[] {
  return [...registrations(deps), ...reading(deps), ...changing(deps)];
}

function registrations({ administration }: AdminAccountsDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read:accounts",
      name: "listRegistrations",
      path: "/admin/registrations",
      summary: "Lists the people who are waiting for approval, newest first.",
      input: NO_INPUT,
      output: listOf("Registration"),
      handle: async ({ page }) => {
        const pending = await administration.list({ state: "pending" }, page);
        return pending.map(presentRegistration);
      },
    }),
    apiRoute({
      method: "POST",
      forRole: "moderator",
      limit: "costly",
      scope: "admin:write:accounts",
      name: "approveRegistration",
      path: "/admin/registrations/:id/approve",
      summary: "Lets in somebody who is waiting for approval.",
      input: NO_INPUT,
      output: EMPTY,
      errors: [409],
      handle: async ({ user, path }) => {
        await administration.approve(user, keyOf(path("id")));
        return {};
      },
    }),
    apiRoute({
      method: "DELETE",
      forRole: "moderator",
      limit: "write",
      scope: "admin:write:accounts",
      name: "rejectRegistration",
      path: "/admin/registrations/:id",
      summary:
        "Turns away somebody who is waiting for approval, and frees the name.",
      input: NO_INPUT,
      output: EMPTY,
      errors: [409],
      handle: async ({ user, path }) => {
        await administration.reject(user, keyOf(path("id")));
        return {};
      },
    }),
  ];
}

function reading({ administration }: AdminAccountsDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read:accounts",
      name: "listAccounts",
      path: "/admin/accounts",
      summary: "Lists accounts, newest first.",
      input: FILTER,
      output: listOf("Account"),
      handle: async ({ input, page }) =>
        (await administration.list(input, page)).map(presentAccount),
    }),
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read:accounts",
      name: "showAccount",
      path: "/admin/accounts/:id",
      summary: "Shows an account.",
      input: NO_INPUT,
      output: one("Account"),
      handle: async ({ path }) =>
        presentAccount(await administration.get(keyOf(path("id")).id)),
    }),
  ];
}

function changing({ administration }: AdminAccountsDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "PUT",
      forRole: "admin",
      limit: "write",
      scope: "undelegated",
      name: "changeAccountRole",
      path: "/admin/accounts/:id",
      summary: "Gives an account a role. One admin always stays.",
      input: Type.Object({ role: role("The role") }),
      needs: [{ name: "role", error: "empty_string" }],
      output: one("Account"),
      errors: [409],
      handle: async ({ user, path, input }) => {
        const key = keyOf(path("id"));
        await administration.get(key.id);
        await administration.setRole(user, key, input.role);
        return presentAccount(await administration.get(key.id));
      },
    }),
    apiRoute({
      method: "POST",
      forRole: "admin",
      limit: "credentials",
      scope: "undelegated",
      name: "resetAccountPassword",
      path: "/admin/accounts/:id/password",
      summary:
        "Gives an account a new password, which is shown only once, and ends all its sessions and tokens.",
      input: NO_INPUT,
      output: one("NewPassword"),
      errors: [409],
      handle: async ({ user, path }) => ({
        Password: await administration.resetPassword(user, keyOf(path("id"))),
      }),
    }),
    apiRoute({
      method: "DELETE",
      forRole: "admin",
      limit: "write",
      scope: "undelegated",
      name: "endAccountSessions",
      path: "/admin/accounts/:id/sessions",
      summary: "Ends all sessions and tokens of an account.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await administration.endSessions(user, keyOf(path("id")));
        return {};
      },
    }),
    apiRoute({
      method: "DELETE",
      forRole: "admin",
      limit: "write",
      scope: "undelegated",
      name: "resetAccountSecondFactor",
      path: "/admin/accounts/:id/second_factor",
      summary:
        "Removes the second factor, the recovery codes and the passkeys of an account, and ends all its sessions and tokens.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await administration.resetSecondFactor(user, keyOf(path("id")));
        return {};
      },
    }),
  ];
}

function keyOf(text: string): { readonly id: UserId } {
  return { id: readIdOrNone(text) as UserId };
}

function presentRegistration(account: AccountRecord): WireRecord {
  return {
    ID: account.id,
    CreatedAt: account.createdAt,
    Username: account.username,
    Reason: account.reason ?? "",
  };
}

function presentAccount(account: AccountRecord): WireRecord {
  return {
    ID: account.id,
    CreatedAt: account.createdAt,
    Username: account.username,
    Role: account.role,
    State: account.state,
    LastSeenAt: account.lastSeenAt,
    InvitedBy: account.invitedBy,
  };
}
