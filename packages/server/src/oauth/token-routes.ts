import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  OauthError,
  type IssuedAccess,
  type Oauth,
} from "../features/oauth/index.ts";
import { readInput, text } from "../http/input/input.ts";
import { Type } from "../lib/json-schema.ts";
import { sendUncached } from "./answer-errors.ts";
import { readClientCredentials } from "./client-credentials.ts";

const GRANT = Type.Object({
  grant_type: text("authorization_code or client_credentials"),
  code: text("The code that the person's browser brought"),
  redirect_uri: text("The one that the code was asked for with"),
  code_verifier: text("The text whose hash the code was asked for with"),
  scope: text("The scopes of an app's own token, separated by blanks"),
});

const REVOCATION = Type.Object({
  token: text("The token that ends"),
});

type Grant = ReturnType<typeof readInput<typeof GRANT>>;

/** Gives tokens to apps, and ends them (RFC 6749, section 3.2; RFC 7009). */
export function tokenRoutes(
  app: FastifyInstance,
  { oauth }: { readonly oauth: Oauth },
): void {
  const config = { access: "anyone", limit: "credentials" } as const;
  app.post("/oauth/token", { config }, async (request, reply) => {
    const grant = readInput(GRANT, request.parameters);
    const issued = await issue(oauth, request, grant);
    return sendUncached(reply, JSON.stringify(presentIssued(issued)));
  });
  app.post("/oauth/revoke", { config }, async (request, reply) => {
    const { token } = readInput(REVOCATION, request.parameters);
    const credentials = readClientCredentials(request);
    await oauth.revoke(credentials, given("token", token));
    return sendUncached(reply, "{}");
  });
}

async function issue(
  oauth: Oauth,
  request: FastifyRequest,
  grant: Grant,
): Promise<IssuedAccess> {
  const kind = given("grant_type", grant.grant_type);
  if (kind === "client_credentials")
    return oauth.issueOwnAccess(readClientCredentials(request), grant.scope);
  if (kind !== "authorization_code")
    throw new OauthError(
      "unsupported_grant_type",
      "The parameter grant_type must be authorization_code or client_credentials.",
    );
  return oauth.exchangeCode({
    credentials: readClientCredentials(request),
    code: given("code", grant.code),
    redirectUri: given("redirect_uri", grant.redirect_uri),
    ...(grant.code_verifier !== undefined && {
      verifier: grant.code_verifier,
    }),
  });
}

/** @throws {OauthError} `invalid_request` if it is missing */
function given(name: string, value: string | undefined): string {
  if (value === undefined || value === "")
    throw new OauthError(
      "invalid_request",
      `The parameter ${name} must be given.`,
    );
  return value;
}

/** Tokens do not expire by themselves while they are used, so no time is given. */
function presentIssued({ token, scopes, createdAt }: IssuedAccess) {
  return {
    access_token: token,
    token_type: "Bearer",
    scope: scopes.join(" "),
    created_at: Math.floor(Date.parse(createdAt) / 1000),
  };
}
