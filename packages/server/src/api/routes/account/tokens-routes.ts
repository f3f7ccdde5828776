import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "../../../lib/json-schema.ts";
import { CodeNeeded, type Accounts } from "../../../features/accounts/index.ts";
import type { TokenId } from "../../../features/ids.ts";
import { text } from "../../../http/input/input.ts";
import { slicePage } from "../../../features/page.ts";
import { KithError } from "../../../lib/errors.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { presentIssuedToken, presentToken } from "../../schemas/records.ts";
import {
  apiRoute,
  NO_INPUT,
  readSent,
  type ApiRoute,
  type DescribedRoute,
} from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

const CREATE = Type.Object({
  grant_type: Type.Optional(
    Type.String({ enum: ["password"], description: "How it is asked for" }),
  ),
  username: text("The name of the account"),
  password: text("Its password"),
  client_id: text("The name of the program"),
  otp: text(
    "A code of the second factor or a recovery code, where the account has one; the header X-OTP does the same and wins",
  ),
});

const NEEDED = ["grant_type", "username", "password", "client_id"] as const;

const CODE_HEADER = "x-otp";

export const TOKEN_CREATION = {
  method: "POST",
  limit: "credentials",
  scope: null,
  name: "createToken",
  path: "/oauth/tokens",
  summary:
    "Gives a program a token, in exchange for the name and the password of an account.",
  description:
    "Where the account has a second factor, the password alone is answered 401 with the header `X-OTP: required`. Where the operator has switched it off, it is answered 403; apps get their tokens by OAuth everywhere.",
  input: CREATE,
  needs: NEEDED,
  output: one("IssuedToken"),
  errors: [401, 403, 404],
} as const satisfies DescribedRoute;

export type TokenCreationDeps = {
  readonly accounts: Accounts;
  /** Does the operator allow it? */
  readonly passwordGrant: boolean;
};

/** The one data route without a token. */
export function registerTokenCreation(
  app: FastifyInstance,
  prefix: string,
  { accounts, passwordGrant }: TokenCreationDeps,
): void {
  app.route({
    method: "POST",
    url: prefix + TOKEN_CREATION.path,
    config: { access: "anyone", limit: TOKEN_CREATION.limit },
    handler: async (request, reply) => {
      if (!passwordGrant)
        throw new KithError("forbidden", "Passwords give no tokens here.");
      const { input } = readSent(TOKEN_CREATION, request);
      const grant = {
        username: input.username,
        password: input.password,
        clientId: checkClientId(input.client_id),
        code: readCode(request, input.otp),
        from: request.network,
      };
      try {
        return presentIssuedToken(await accounts.issueToken(grant));
      } catch (error) {
        if (error instanceof CodeNeeded)
          void reply.header(CODE_HEADER, "required");
        throw error;
      }
    },
  });
}

/** A blank code counts as absent. */
function readCode(
  { headers }: FastifyRequest,
  parameter: string | undefined,
): string | undefined {
  const header = headers[CODE_HEADER];
  const code = typeof header === "string" ? header : parameter;
  return code === undefined || code.trim() === "" ? undefined : code;
}

const MAX_CLIENT_ID_LENGTH = 255;

function checkClientId(clientId: string): string {
  if (clientId.length > MAX_CLIENT_ID_LENGTH)
    throw new KithError(
      "bad_request",
      `The parameter client_id must have at most ${MAX_CLIENT_ID_LENGTH} characters.`,
    );
  return clientId;
}

export function tokensRoutes(accounts: Accounts): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "undelegated",
      name: "listTokens",
      path: "/oauth/tokens",
      summary: "Lists your tokens.",
      input: NO_INPUT,
      output: listOf("Token"),
      handle: async ({ user, page }) => {
        const list = await accounts.listTokens(user.userId);
        return slicePage(list, page).map(presentToken);
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "undelegated",
      name: "deleteToken",
      path: "/oauth/tokens/:id",
      summary: "Deletes one of your tokens.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id")) as TokenId;
        await accounts.deleteToken(user.userId, id);
        return {};
      },
    }),
  ];
}
