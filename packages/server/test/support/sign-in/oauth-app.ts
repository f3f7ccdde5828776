import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import {
  hiddenFields,
  type newUser,
  type PageResponse,
} from "../pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;
type Fields = Readonly<Record<string, string>>;

export const CALLBACK = "https://app.example/callback";

/** An answer with its JSON. */
export type JsonAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
};

/** An app that is registered on a server. */
export type RegisteredClient = {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
};

/** A verifier, and the challenge made from it (RFC 7636, S256). */
export function newVerifier() {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return { verifier, challenge };
}

/** Sends a form, and reads the JSON of the answer. */
export async function sendForm(
  url: string,
  form: Fields,
  headers: Fields = {},
): Promise<JsonAnswer> {
  const body = new URLSearchParams(form);
  return readJson(await fetch(url, { method: "POST", body, headers }));
}

export async function readJson(response: Response): Promise<JsonAnswer> {
  const { status, headers } = response;
  const json = (await response.json()) as JsonAnswer["json"];
  return { status, headers, json };
}

export async function registerClient(
  baseUrl: string,
  more: Fields = {},
): Promise<RegisteredClient> {
  const answer = await sendForm(`${baseUrl}/api/v1/apps`, {
    client_name: "Reader",
    redirect_uris: CALLBACK,
    scopes: "read write follow push",
    ...more,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.json));
  return {
    id: String(answer.json["client_id"]),
    secret: String(answer.json["client_secret"]),
    redirectUri: more["redirect_uris"] ?? CALLBACK,
  };
}

/** The page on which a user lets the app in. */
export function authorizeUrl(
  { id, redirectUri }: RegisteredClient,
  more: Fields = {},
): string {
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: id, redirect_uri: redirectUri },
    ...{ scope: "read", ...more },
  });
  return `/oauth/authorize?${query.toString()}`;
}

/** The user opens the page and decides. */
export async function decideOn(
  user: Pick<User, "get" | "post">,
  path: string,
  decision: "allow" | "deny" = "allow",
): Promise<PageResponse> {
  const page = await user.get(path);
  assert.equal(page.status, 200, page.text);
  const fields = hiddenFields(page, "/oauth/authorize");
  return user.post("/oauth/authorize", { ...fields, decision });
}

/** The parameters of a redirect to the app. */
export function readRedirect(
  { status, headers, text }: PageResponse,
  to = CALLBACK,
): URLSearchParams {
  assert.equal(status, 302, text);
  const location = headers.get("location") ?? "";
  assert.ok(location.startsWith(to), location);
  return new URLSearchParams(location.slice(location.indexOf("?")));
}

/** The user lets the app in. @returns the code */
export async function getCode(
  user: Pick<User, "get" | "post">,
  app: RegisteredClient,
  more: Fields = {},
): Promise<string> {
  const answer = await decideOn(user, authorizeUrl(app, more));
  return readRedirect(answer, app.redirectUri).get("code") ?? "";
}

export function exchange(
  baseUrl: string,
  app: RegisteredClient,
  code: string,
  more: Fields = {},
): Promise<JsonAnswer> {
  return sendForm(`${baseUrl}/oauth/token`, {
    ...{ grant_type: "authorization_code", code, client_id: app.id },
    ...{ client_secret: app.secret, redirect_uri: app.redirectUri },
    ...more,
  });
}

/** The whole way to a token with these scopes. */
export async function getAppToken(
  baseUrl: string,
  user: Pick<User, "get" | "post">,
  scope: string,
  app?: RegisteredClient,
): Promise<string> {
  const client = app ?? (await registerClient(baseUrl, { scopes: scope }));
  const code = await getCode(user, client, { scope });
  const { status, json } = await exchange(baseUrl, client, code);
  assert.equal(status, 200, JSON.stringify(json));
  return String(json["access_token"]);
}

/** Calls something with a token. */
export async function callWith(
  url: string,
  token: string,
  init: RequestInit = {},
): Promise<Response> {
  const authorization = `Bearer ${token}`;
  return fetch(url, {
    redirect: "manual",
    ...init,
    headers: { authorization },
  });
}
