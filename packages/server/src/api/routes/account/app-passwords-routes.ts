import type {
  Accounts,
  AppPassword,
} from "../../../features/accounts/index.ts";
import type { AppPasswordId } from "../../../features/ids.ts";
import { slicePage } from "../../../features/page.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

const CREATE = Type.Object({
  name: text("The program or device, at most 50 characters"),
  password: text("The password of the account, once more"),
});

/** Passwords with which programs open calendars. */
export function appPasswordsRoutes(accounts: Accounts): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "undelegated",
      name: "listAppPasswords",
      path: "/app_passwords",
      summary: "Lists your app passwords, newest first.",
      input: NO_INPUT,
      output: listOf("AppPassword"),
      handle: async ({ user, page }) => {
        const list = await accounts.listAppPasswords(user.userId);
        return slicePage(list, page).map(presentAppPassword);
      },
    }),
    apiRoute({
      method: "POST",
      limit: "credentials",
      scope: "undelegated",
      name: "createAppPassword",
      path: "/app_passwords",
      summary: "Makes an app password, and shows it this once.",
      description:
        "It opens your calendars over CalDAV, and nothing else. You can have 50. Whatever ends all access, such as a new password of the account, ends them, too.",
      input: CREATE,
      needs: ["name", "password"],
      output: one("NewAppPassword"),
      errors: [401, 409],
      handle: async ({ user, input, from }) => {
        const { name, password } = input;
        const proof = { password, from };
        const made = await accounts.addAppPassword(user, proof, name);
        return { ...presentAppPassword(made), Password: made.secret };
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "undelegated",
      name: "deleteAppPassword",
      path: "/app_passwords/:id",
      summary: "Revokes an app password of yours.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id")) as AppPasswordId;
        await accounts.removeAppPassword(user.userId, id);
        return {};
      },
    }),
  ];
}

function presentAppPassword(password: AppPassword): WireRecord {
  const { id, name, createdAt, lastUsedAt } = password;
  return {
    ID: id,
    Name: name,
    CreatedAt: createdAt,
    ...(lastUsedAt !== null && { LastUsedAt: lastUsedAt }),
  };
}
