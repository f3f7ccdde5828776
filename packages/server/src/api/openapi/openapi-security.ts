import type { DocumentedOperation } from "../../http/api-document.ts";
import type { DescribedRoute } from "../kit/route.ts";

/** Where a token is sent that was given for the password; that of an app, too. */
export const PASSWORD_SCHEMES = {
  header: { type: "apiKey", in: "header", name: "access_token" },
  parameter: {
    type: "apiKey",
    in: "query",
    name: "access_token",
    description: "Also as a parameter in the body",
  },
  bearer: { type: "http", scheme: "bearer" },
};

const OAUTH = "oauth";

/** The tokens that open an operation; nothing where the default of the document holds. */
export function describeSecurity(
  { scope }: Pick<DescribedRoute, "scope">,
  access: "anyone" | "token",
): Pick<DocumentedOperation, "security"> {
  if (access === "anyone") return { security: [] };
  if (scope === null || scope === "undelegated") return {};
  const always = Object.keys(PASSWORD_SCHEMES).map((name) => ({ [name]: [] }));
  return { security: [...always, { [OAUTH]: [scope] }] };
}

/** The scopes of apps, each with the operations that it opens by itself. */
export function describeOauth(
  baseUrl: string,
  routes: readonly DescribedRoute[],
) {
  const names = Map.groupBy(routes, ({ scope }) => scope);
  const scopes: Record<string, string> = {};
  for (const [scope, opened] of names)
    if (scope !== null && scope !== "undelegated")
      scopes[scope] = opened.map(({ name }) => name).join(", ");
  const authorizationCode = {
    authorizationUrl: `${baseUrl}/oauth/authorize`,
    tokenUrl: `${baseUrl}/oauth/token`,
    scopes,
  };
  return { [OAUTH]: { type: "oauth2", flows: { authorizationCode } } };
}
