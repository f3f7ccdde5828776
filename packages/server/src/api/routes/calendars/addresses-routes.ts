import type {
  CalendarAddresses,
  Calendars,
} from "../../../features/calendars/index.ts";
import type { CalendarId } from "../../../features/ids.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { EMPTY, one } from "../../schemas/schemas.ts";

export type AddressesRoutesDeps = {
  readonly calendars: Calendars;
  /** Without a trailing slash. */
  readonly baseUrl: string;
};

/** The addresses at which calendar programs subscribe to a calendar. */
export function addressesRoutes({
  calendars,
  baseUrl,
}: AddressesRoutesDeps): ApiRoute[] {
  const idIn = (path: (name: string) => string) =>
    readIdOrNone(path("id")) as CalendarId;
  const secretPath = "/calendar/:id/addresses/secret";
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "undelegated",
      name: "showCalendarAddresses",
      path: "/calendar/:id/addresses",
      summary: "Shows where calendar programs can subscribe to your calendar.",
      input: NO_INPUT,
      output: one("CalendarAddresses"),
      handle: async ({ user, path }) =>
        present(await calendars.getAddresses(user.userId, idIn(path)), baseUrl),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "undelegated",
      name: "renewSecretCalendarAddress",
      path: secretPath,
      summary: "Makes a secret address of your calendar; the former one ends.",
      input: NO_INPUT,
      output: one("CalendarAddresses"),
      handle: async ({ user, path }) =>
        present(
          await calendars.renewSecretAddress(user.userId, idIn(path)),
          baseUrl,
        ),
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "undelegated",
      name: "endSecretCalendarAddress",
      path: secretPath,
      summary: "Ends the secret address of your calendar.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await calendars.endSecretAddress(user.userId, idIn(path));
        return {};
      },
    }),
  ];
}

function present(
  { guid, secret }: CalendarAddresses,
  baseUrl: string,
): WireRecord {
  const at = `${baseUrl}/calendars/${guid}`;
  return {
    PublicURL: `${at}.ics`,
    ...(secret && {
      SecretURL: `${at}/${secret.word}.ics`,
      SecretSince: secret.since,
    }),
  };
}
