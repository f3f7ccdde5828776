import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { Type } from "../../lib/json-schema.ts";
import type { AuthorizationRequest } from "../../features/oauth/index.ts";

export const AUTHORIZE = "/oauth/authorize";

const REQUEST = Type.Object({
  client_id: text("The app, as it was registered"),
  redirect_uri: text("Where the answer goes: one of those registered"),
  response_type: text("code"),
  response_mode: text("query"),
  scope: text("What the app asks for, separated by blanks"),
  state: text("What the app gets back unchanged"),
  code_challenge: text("A hash that the app can explain"),
  code_challenge_method: text("S256"),
});

const WISHES = Type.Object({
  force_login: text("true: sign in even if somebody is signed in"),
  lang: text("The language of the page, such as de"),
});

/** An app's request, and its parameters as they must come back after a sign-in. */
export type AppRequest = {
  readonly request: AuthorizationRequest;
  readonly state: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
};

/** @throws {KithError} `bad_request` for a repeated parameter */
export function readAppRequest(given: Parameters): AppRequest {
  const read = readInput(REQUEST, given);
  return {
    request: {
      clientId: read.client_id ?? "",
      redirectUri: read.redirect_uri ?? "",
      responseType: read.response_type ?? "",
      responseMode: read.response_mode,
      scope: read.scope,
      codeChallenge: read.code_challenge,
      codeChallengeMethod: read.code_challenge_method,
    },
    state: read.state,
    parameters: Object.fromEntries(
      Object.entries(read).filter(([, value]) => value !== undefined),
    ),
  };
}

export function readWishes(given: Parameters) {
  const { force_login: forced, lang } = readInput(WISHES, given);
  const mustSignIn = forced === "true" || forced === "1";
  return { mustSignIn, language: lang };
}

/** The page of a request on this server, with every parameter. */
export function authorizePath(
  { parameters }: AppRequest,
  wishes: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...parameters, ...wishes });
  return `${AUTHORIZE}?${query.toString()}`;
}
