import type { Tx } from "../../db/db.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { Limits } from "../../lib/limits/limits.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { AccessId, UserId } from "../ids.ts";
import {
  deleteAccess,
  deleteAccessOfToken,
  endAppAccess,
  findStoredAccess,
  listAccesses,
} from "./access-store.ts";
import { UNUSED_ACCESS_MS } from "./app.ts";
import {
  authorize,
  readAuthorization,
  type Authorization,
  type AuthorizationRequest,
  type AuthorizeDeps,
} from "./authorize.ts";
import {
  findAccess,
  findAppOfToken,
  findTokenWithoutUser,
  type FindAccessDeps,
} from "./find-access.ts";
import {
  authenticateApp,
  exchangeCode,
  issueOwnAccess,
  issueToNewUser,
  type AppCredentials,
  type CodeExchange,
  type IssueDeps,
} from "./issue-token.ts";
import { OauthError } from "./oauth-error.ts";
import { registerApp, type AppRegistration } from "./register-app.ts";
import { isGranted, type NeededScope } from "./scopes.ts";

export { endAppAccess } from "./access-store.ts";
export type { Access, App, IssuedAccess, ListedAccess } from "./app.ts";
export {
  scopesFor,
  type Authorization,
  type AuthorizationRequest,
} from "./authorize.ts";
export type { TokenWithoutUser } from "./find-access.ts";
export { createForgetApps, FORGET_APPS } from "./forget-apps.ts";
export type { AppCredentials } from "./issue-token.ts";
export { OauthError, type OauthErrorCode } from "./oauth-error.ts";
export { addParameters, OUT_OF_BAND } from "./redirect-uris.ts";
export {
  isGranted,
  SCOPES,
  withoutImplied,
  type NeededScope,
  type Scope,
} from "./scopes.ts";

const HOUR_MS = 3_600_000;
/** Apps that one network may register per hour; a web client registers one per sign-in. */
const REGISTRATIONS = 100;

type OauthDeps = AuthorizeDeps &
  IssueDeps &
  FindAccessDeps & {
    readonly limits: Limits;
    /** Multiplies how many apps one network may register; 1 if absent. */
    readonly requestFactor?: number;
  };

/** Apps of others, and what their users let them do (RFC 6749). */
export type Oauth = ReturnType<typeof createOauth>;

export function createOauth(given: OauthDeps) {
  const deps = {
    ...given,
    registrations: given.limits.create("app_registration", "address", {
      max: REGISTRATIONS * (given.requestFactor ?? 1),
      windowMs: HOUR_MS,
    }),
  };
  const { db, clock } = deps;
  return {
    /** @throws {KithError} `invalid`, or `too_many_requests` */
    register: (registration: AppRegistration) =>
      registerApp(deps, registration),
    /** Checks what an app asks for. Changes nothing. */
    readAuthorization: (request: AuthorizationRequest) =>
      readAuthorization(deps, request),
    /**
     * Lets an app in.
     * @param session the secret of the session in which the user has agreed
     * @returns the code for the app
     * @throws {KithError} `unauthorized` if that session was ended meanwhile
     * @throws {OauthError} `invalid_scope`
     */
    authorize: (user: SignedIn, session: string, wanted: Authorization) =>
      authorize(deps, user, session, wanted),
    /** @throws {OauthError} `invalid_client` or `invalid_grant` */
    exchangeCode: (exchange: CodeExchange) => exchangeCode(deps, exchange),
    /** @throws {OauthError} `invalid_client` or `invalid_scope` */
    issueOwnAccess: (credentials: AppCredentials, scope: string | undefined) =>
      issueOwnAccess(deps, credentials, scope),
    /**
     * Ends the access of a token (RFC 7009). An unknown token is none any more.
     * @throws {OauthError} `invalid_client`, or `unauthorized_client` for another app's token
     */
    revoke: async (credentials: AppCredentials, token: string) => {
      const app = await authenticateApp(deps, credentials, true);
      const stored = await findStoredAccess(db.read, token);
      if (!stored) return;
      if (stored.appId !== app.id)
        throw new OauthError(
          "unauthorized_client",
          "The token is not this app's.",
        );
      await db.transaction((tx) => deleteAccessOfToken(tx, token));
    },
    /**
     * Finds what a token allows, that of a password too.
     * @returns undefined for an unknown token, and for an app's own
     */
    findAccess: (token: string) => findAccess(deps, token),
    /**
     * Finds the user of a token for something that needs this scope.
     * @throws {KithError} `forbidden` if the token does not allow it
     */
    authenticate: async (token: string, needed: NeededScope) => {
      const access = await findAccess(deps, token);
      if (!access) return undefined;
      if (!isGranted(access.scopes, needed))
        throw new KithError("forbidden", `The scope ${needed} is missing.`, {
          neededScope: needed === "undelegated" ? "" : needed,
        });
      return access.user;
    },
    /** Finds the app of a token that was given to one, with a user or without. */
    findAppOfToken: (token: string) => findAppOfToken(deps, token),
    /**
     * Finds out what a token is for which there is no user.
     * @returns undefined for an unknown one, or one that has ended
     */
    findTokenWithoutUser: (token: string) => findTokenWithoutUser(deps, token),
    /**
     * Gives an app access to the account that a person has made with it.
     * @throws {KithError} `unauthorized` if the app's own token has ended
     */
    issueToNewUser: (tx: Tx, ownToken: string, userId: UserId) =>
      issueToNewUser(deps, tx, ownToken, userId),
    /** Lists the apps that a user has let in, newest first. */
    listAccesses: (userId: UserId) =>
      listAccesses(
        db.read,
        userId,
        timestamp(later(clock.now(), -UNUSED_ACCESS_MS)),
      ),
    /** @throws {KithError} `not_found`, also for another user's */
    endAccess: (userId: UserId, id: AccessId) =>
      db.transaction(async (tx) => {
        if (!(await deleteAccess(tx, userId, id)))
          throw new KithError("not_found", "No such access.");
      }),
    endAllAccesses: (userId: UserId) =>
      db.transaction((tx) => endAppAccess(tx, userId)),
  };
}
