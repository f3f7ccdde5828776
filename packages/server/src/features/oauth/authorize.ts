import { randomBytes } from "node:crypto";
import type { Db, Tx } from "../../db/db.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { isAtLeast, type SignedIn } from "../accounts/index.ts";
import type { UserId } from "../ids.ts";
import { findApp, updateAppUse } from "./app-store.ts";
import { CODE_MS, type App } from "./app.ts";
import { insertCode } from "./code-store.ts";
import { OauthError } from "./oauth-error.ts";
import { isAdminScope, isGranted, parseScopes, type Scope } from "./scopes.ts";

/** The parameters of RFC 6749, section 4.1.1, and RFC 7636, section 4.3. */
export type AuthorizationRequest = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType: string;
  readonly responseMode?: string | undefined;
  /** `read` if absent. */
  readonly scope?: string | undefined;
  readonly codeChallenge?: string | undefined;
  readonly codeChallengeMethod?: string | undefined;
};

/** A request that a person can answer. */
export type Authorization = {
  readonly app: App;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly challenge: string | null;
};

/**
 * - `unknown`: from no app, or to be answered to a place that is not the app's: it must not
 *   be answered at all;
 * - `refused`: the app gets the error.
 */
export type AuthorizationResult =
  | { readonly kind: "valid"; readonly authorization: Authorization }
  | { readonly kind: "unknown"; readonly missing: "app" | "redirect_uri" }
  | {
      readonly kind: "refused";
      readonly app: App;
      readonly redirectUri: string;
      readonly error: OauthError;
    };

export type AuthorizeDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: {
    readonly lockSession: (
      tx: Tx,
      userId: UserId,
      session: string,
    ) => Promise<void>;
  };
};

/** Checks what an app asks for. Changes nothing. */
export async function readAuthorization(
  { db }: Pick<AuthorizeDeps, "db">,
  request: AuthorizationRequest,
): Promise<AuthorizationResult> {
  const app = await findApp(db.read, { clientId: request.clientId });
  if (!app) return { kind: "unknown", missing: "app" };
  const { redirectUri } = request;
  // Compared as texts: whatever parses the URI may see another one.
  if (!app.redirectUris.includes(redirectUri))
    return { kind: "unknown", missing: "redirect_uri" };
  try {
    const scopes = readScope(app, request.scope);
    const challenge = readChallenge(request);
    return {
      kind: "valid",
      authorization: { app, redirectUri, scopes, challenge },
    };
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    return { kind: "refused", app, redirectUri, error };
  }
}

/** The scopes that a request names. @throws {OauthError} `invalid_scope` */
export function readScope(
  app: Pick<App, "scopes">,
  given: string | undefined,
): readonly Scope[] {
  const scopes = parseScopes(given?.trim() ? given : "read");
  if (scopes.length === 0)
    throw new OauthError("invalid_scope", "None of the scopes is known here.");
  if (!scopes.every((scope) => isGranted(app.scopes, scope)))
    throw new OauthError(
      "invalid_scope",
      "The app is not registered for all of these scopes.",
    );
  return scopes;
}

/** A SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

function readChallenge({
  responseType,
  responseMode = "query",
  codeChallenge,
  codeChallengeMethod,
}: AuthorizationRequest): string | null {
  if (responseType !== "code")
    throw new OauthError(
      "unsupported_response_type",
      "The parameter response_type must be code.",
    );
  if (responseMode !== "query")
    throw new OauthError(
      "invalid_request",
      "The parameter response_mode must be query.",
    );
  if (codeChallenge === undefined && codeChallengeMethod === undefined)
    return null;
  if (codeChallengeMethod !== "S256" || !CHALLENGE.test(codeChallenge ?? ""))
    throw new OauthError(
      "invalid_request",
      "The parameter code_challenge must be given with the code_challenge_method S256.",
    );
  return codeChallenge ?? null;
}

/** The scopes that somebody with this role can give: nobody gives rights that they lack. */
export function scopesFor(
  { role }: Pick<SignedIn, "role">,
  scopes: readonly Scope[],
): readonly Scope[] {
  return isAtLeast(role, "moderator")
    ? scopes
    : scopes.filter((scope) => !isAdminScope(scope));
}

/**
 * Lets an app in.
 * @param session the secret of the session in which the user has agreed
 * @returns the code that the app redeems, within ten minutes
 * @throws {KithError} `unauthorized` if that session was ended meanwhile
 * @throws {OauthError} `invalid_scope` if the user can give none of the scopes
 */
export async function authorize(
  { db, clock, accounts }: AuthorizeDeps,
  user: SignedIn,
  session: string,
  { app, redirectUri, scopes, challenge }: Authorization,
): Promise<string> {
  const given = scopesFor(user, scopes);
  if (given.length === 0)
    throw new OauthError("invalid_scope", "The account has no such rights.");
  const code = randomBytes(32).toString("base64url");
  const now = clock.now();
  const grant = {
    ...{ appId: app.id, userId: user.userId },
    ...{ redirectUri, scopes: given, challenge },
  };
  await db.transaction(async (tx) => {
    await accounts.lockSession(tx, user.userId, session);
    await insertCode(tx, code, grant, timestamp(later(now, CODE_MS)));
    await updateAppUse(tx, app.id, timestamp(now), true);
  });
  return code;
}
