import type { FastifyInstance } from "fastify";
import { isGranted, type Oauth } from "../features/oauth/index.ts";
import { displayName, type People } from "../features/people/index.ts";
import { readHeaderToken } from "../http/input/header-token.ts";
import { readInput, text } from "../http/input/input.ts";
import { KithError } from "../lib/errors.ts";
import { Type } from "../lib/json-schema.ts";
import { sendUncached } from "./answer-errors.ts";

const TOKEN = Type.Object({
  access_token: text("The access token, where no header carries it"),
});

export type UserinfoDeps = {
  readonly oauth: Oauth;
  readonly people: Pick<People, "find">;
  /** Without a trailing slash. */
  readonly baseUrl: string;
};

/** Says who a token belongs to, in the claims of OpenID Connect. */
export function userinfoRoutes(
  app: FastifyInstance,
  { oauth, people, baseUrl }: UserinfoDeps,
): void {
  app.route({
    method: ["GET", "POST"],
    url: "/oauth/userinfo",
    config: { access: "token", limit: "read" },
    handler: async (request, reply) => {
      const { access_token: parameter } = readInput(TOKEN, request.parameters);
      const token = readHeaderToken(request) ?? parameter;
      const access =
        token === undefined ? undefined : await oauth.findAccess(token);
      const person =
        access && (await people.find({ id: access.user.personId }));
      if (!access || !person)
        throw new KithError("unauthorized", "No user for this token.", {
          isTokenRefused: token !== undefined,
        });
      request.countFor(access.user.userId);
      const { scopes, user } = access;
      if (!isGranted(scopes, "profile") && !isGranted(scopes, "read:accounts"))
        throw new KithError("forbidden", "The scope profile is missing.", {
          neededScope: "profile",
        });
      const picture = URL.parse(person.profile.imageUrl, baseUrl)?.href;
      const claims = {
        iss: `${baseUrl}/`,
        sub: `${baseUrl}/people/${encodeURIComponent(person.guid)}`,
        name: displayName(person),
        preferred_username: user.username,
        profile: `${baseUrl}/u/${user.username}`,
        ...(person.profile.imageUrl !== "" && { picture }),
      };
      return sendUncached(reply, JSON.stringify(claims));
    },
  });
}
