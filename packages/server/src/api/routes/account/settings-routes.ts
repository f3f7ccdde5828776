import { Type } from "../../../lib/json-schema.ts";
import type { Accounts, Settings } from "../../../features/accounts/index.ts";
import { text } from "../../../http/input/input.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { one } from "../../schemas/schemas.ts";

const CHANGES = Type.Object({
  Locale: text("The language in which the server speaks, such as en"),
  TimeZone: text("The IANA name of a time zone, such as Europe/Berlin"),
});

export function settingsRoutes({
  accounts,
}: {
  readonly accounts: Accounts;
}): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      name: "showSettings",
      path: "/settings",
      summary: "Shows your settings.",
      input: NO_INPUT,
      output: one("Settings"),
      handle: async ({ user }) =>
        presentSettings(await accounts.getSettings(user.userId)),
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      name: "changeSettings",
      path: "/settings",
      summary: "Changes the given settings of yours.",
      input: CHANGES,
      output: one("Settings"),
      handle: async ({ user, input: { Locale, TimeZone } }) =>
        presentSettings(
          await accounts.changeSettings(user.userId, {
            ...(Locale === undefined ? {} : { locale: Locale }),
            ...(TimeZone === undefined ? {} : { timeZone: TimeZone }),
          }),
        ),
    }),
  ];
}

function presentSettings({ locale, timeZone }: Settings): WireRecord {
  return { Locale: locale, TimeZone: timeZone };
}
