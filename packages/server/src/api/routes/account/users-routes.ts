import { Type } from "../../../lib/json-schema.ts";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Leaving } from "../../../features/leaving/index.ts";
import { text } from "../../../http/input/input.ts";
import { apiRoute, type ApiRoute } from "../../kit/route.ts";
import { EMPTY } from "../../schemas/schemas.ts";

const PASSWORDS = Type.Object({
  current_password: text("The password until now"),
  password: text("The new one: 6 characters or more"),
});

const PASSWORD = Type.Object({ password: text("The password of the account") });

export type UsersRoutesDeps = {
  readonly accounts: Accounts;
  readonly leaving: Leaving;
};

export function usersRoutes({
  accounts,
  leaving,
}: UsersRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "PUT",
      limit: "credentials",
      scope: "undelegated",
      name: "changePassword",
      path: "/users/password",
      summary:
        "Changes your password. Every session ends, and every token but this one.",
      input: PASSWORDS,
      needs: ["current_password", "password"],
      output: EMPTY,
      handle: async ({ user, token, from, input }) => {
        await accounts.changePassword(user, {
          current: input.current_password,
          wanted: input.password,
          kept: { token },
          from,
        });
        return {};
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "credentials",
      scope: "undelegated",
      name: "deleteAccount",
      path: "/users",
      summary: "Deletes your account and everything in it, here and elsewhere.",
      input: PASSWORD,
      needs: ["password"],
      output: EMPTY,
      handle: async ({ user, from, input }) => {
        await leaving.leave(user, input.password, from);
        return {};
      },
    }),
  ];
}
