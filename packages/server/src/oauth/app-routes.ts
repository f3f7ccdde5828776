import type { FastifyInstance } from "fastify";
import type { App, Oauth } from "../features/oauth/index.ts";
import type { Push } from "../features/push/index.ts";
import { readHeaderToken } from "../http/input/header-token.ts";
import { readInput, text } from "../http/input/input.ts";
import { KithError } from "../lib/errors.ts";
import { Type } from "../lib/json-schema.ts";
import { sendUncached } from "./answer-errors.ts";

const uris = Type.Optional(
  Type.Array(Type.String(), {
    description: "Where codes are sent; each may name several",
  }),
);

const REGISTRATION = Type.Object({
  client_name: text("How the app calls itself"),
  redirect_uris: uris,
  "redirect_uris[]": uris,
  scopes: text("What it may ask for, separated by blanks"),
  website: text("Its site"),
});

const TOKEN = Type.Object({
  access_token: text("The access token, where no header carries it"),
});

export type AppRoutesDeps = {
  readonly oauth: Oauth;
  readonly push: Pick<Push, "publicKey">;
};

/** Registers apps, as Mastodon's client API does. */
export function appRoutes(
  app: FastifyInstance,
  { oauth, push }: AppRoutesDeps,
): void {
  app.post(
    "/api/v1/apps",
    { config: { access: "anyone", limit: "write" } },
    async (request, reply) => {
      const input = readInput(REGISTRATION, request.parameters);
      const registration = {
        name: input.client_name ?? "",
        redirectUris: input.redirect_uris ?? input["redirect_uris[]"] ?? [],
        scopes: input.scopes,
        website: input.website,
        from: request.network,
      };
      try {
        const { secret, ...registered } = await oauth.register(registration);
        const credentials = {
          client_id: registered.clientId,
          client_secret: secret,
          client_secret_expires_at: 0,
        };
        return sendUncached(
          reply,
          JSON.stringify({
            ...presentApp(registered, await push.publicKey()),
            ...credentials,
          }),
        );
      } catch (error) {
        if (!(error instanceof KithError) || error.code !== "invalid")
          throw error;
        const said = { error: `Validation failed: ${error.message}` };
        return sendUncached(reply.code(422), JSON.stringify(said));
      }
    },
  );
  app.get(
    "/api/v1/apps/verify_credentials",
    { config: { access: "token", limit: "read" } },
    async (request, reply) => {
      const { access_token: parameter } = readInput(TOKEN, request.parameters);
      const token = readHeaderToken(request) ?? parameter;
      const found =
        token === undefined ? undefined : await oauth.findAppOfToken(token);
      if (!found)
        throw new KithError("unauthorized", "No app for this token.", {
          isTokenRefused: token !== undefined,
        });
      const presented = presentApp(found.app, await push.publicKey());
      return sendUncached(reply, JSON.stringify(presented));
    },
  );
}

function presentApp(
  { id, name, website, scopes, redirectUris }: App,
  pushKey: string,
) {
  return {
    id: String(id),
    name,
    website,
    scopes,
    redirect_uris: redirectUris,
    redirect_uri: redirectUris.join("\n"),
    vapid_key: pushKey,
  };
}
