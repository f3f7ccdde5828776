import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { hashSecret } from "../accounts/index.ts";
import type { UserId } from "../ids.ts";
import {
  deleteAccessOfCode,
  deleteSurplusAccesses,
  findStoredAccess,
  insertAccess,
} from "./access-store.ts";
import { findApp, updateAppUse, type StoredApp } from "./app-store.ts";
import { MAX_ACCESSES, MAX_OWN_ACCESSES, type IssuedAccess } from "./app.ts";
import { readScope, scopesFor } from "./authorize.ts";
import { findCode, updateRedeemed, type Grant } from "./code-store.ts";
import { OauthError } from "./oauth-error.ts";

export type IssueDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: {
    readonly lock: (tx: Tx, userId: UserId) => Promise<void>;
  };
};

/** How an app names itself: with its secret, or without one as a public client. */
export type AppCredentials = {
  readonly clientId: string;
  readonly secret?: string | undefined;
};

/** The parameters for a user's token (RFC 6749, section 4.1.3; RFC 7636, section 4.5). */
export type CodeExchange = {
  readonly credentials: AppCredentials;
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier?: string | undefined;
};

/**
 * Finds an app by its credentials.
 * @param mayBePublic may the secret be missing?
 * @throws {OauthError} `invalid_client`
 */
export async function authenticateApp(
  { db }: Pick<IssueDeps, "db">,
  { clientId, secret }: AppCredentials,
  mayBePublic: boolean,
): Promise<StoredApp> {
  const app = await findApp(db.read, { clientId });
  const isRight =
    secret === undefined
      ? mayBePublic
      : app !== undefined && isEqual(hashSecret(secret), app.secretHash);
  if (!app || !isRight)
    throw new OauthError(
      "invalid_client",
      "The app is unknown here, or its secret is wrong.",
    );
  return app;
}

/** Compares texts of one length in constant time. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A code verifier of RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

const refusedCode = () =>
  new OauthError(
    "invalid_grant",
    "The code is unknown, expired or used, or belongs to another app, redirect_uri or code_verifier.",
  );

/**
 * Redeems a code. A second time it ends the access that it gave: one of the two that had
 * it has stolen it (RFC 6749, section 4.1.2).
 * @throws {OauthError} `invalid_client` or `invalid_grant`
 */
export async function exchangeCode(
  deps: IssueDeps,
  exchange: CodeExchange,
): Promise<IssuedAccess> {
  const { db, clock, accounts } = deps;
  const { credentials, code } = exchange;
  const app = await authenticateApp(deps, credentials, true);
  const token = newToken();
  const now = timestamp(clock.now());
  const seen = await findCode(db.read, code, now);
  if (!seen) throw refusedCode();
  const issued = await db.transaction(async (tx) => {
    // The end of all access to the account waits, or has ended the code.
    await accounts.lock(tx, seen.userId);
    const grant = await findCode(tx, code, now);
    if (!grant || !isMeant(grant, app, exchange)) return undefined;
    if (grant.isRedeemed) {
      await deleteAccessOfCode(tx, code);
      return undefined;
    }
    const { userId, scopes } = grant;
    await updateRedeemed(tx, code, now);
    await deleteSurplusAccesses(tx, { userId }, MAX_ACCESSES - 1);
    await insertAccess(tx, {
      ...{ appId: app.id, userId, scopes, token, code, now },
    });
    return { token, scopes, createdAt: now };
  });
  if (!issued) throw refusedCode();
  return issued;
}

/** Was the code given to this app, for this redirect and this verifier? */
function isMeant(
  grant: Grant,
  app: StoredApp,
  { credentials, redirectUri, verifier }: CodeExchange,
): boolean {
  if (grant.appId !== app.id || grant.redirectUri !== redirectUri) return false;
  // A verifier without a challenge: somebody has taken the challenge out.
  if (grant.challenge === null)
    return credentials.secret !== undefined && verifier === undefined;
  if (verifier === undefined || !VERIFIER.test(verifier)) return false;
  const digest = createHash("sha256").update(verifier).digest("base64url");
  return isEqual(digest, grant.challenge);
}

/**
 * Gives an app a token of its own, without a user.
 * @throws {OauthError} `invalid_client` or `invalid_scope`
 */
export async function issueOwnAccess(
  deps: IssueDeps,
  credentials: AppCredentials,
  scope: string | undefined,
): Promise<IssuedAccess> {
  const { db, clock } = deps;
  const app = await authenticateApp(deps, credentials, false);
  const scopes = readScope(app, scope);
  const token = newToken();
  const now = timestamp(clock.now());
  const { id: appId } = app;
  await db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `oauth-app:${appId}`);
    await deleteSurplusAccesses(tx, { appId }, MAX_OWN_ACCESSES - 1);
    await insertAccess(tx, {
      ...{ appId, userId: null, scopes, token, code: null, now },
    });
    await updateAppUse(tx, appId, now, false);
  });
  return { token, scopes, createdAt: now };
}

/**
 * Gives an app access to the account that a person has made with it, in the transaction that
 * makes the account. The app may then do what it is registered for.
 * @param ownToken the token of the app alone
 * @throws {KithError} `unauthorized` if that has ended meanwhile
 */
export async function issueToNewUser(
  { clock }: Pick<IssueDeps, "clock">,
  tx: Tx,
  ownToken: string,
  userId: UserId,
): Promise<IssuedAccess> {
  const own = await findStoredAccess(tx, ownToken);
  const app =
    own?.userId === null ? await findApp(tx, { id: own.appId }) : undefined;
  if (!app) throw new KithError("unauthorized", "No app for this token.");
  const token = newToken();
  const now = timestamp(clock.now());
  const scopes = scopesFor({ role: "user" }, app.scopes);
  await insertAccess(tx, {
    ...{ appId: app.id, userId, scopes, token, code: null, now },
  });
  await updateAppUse(tx, app.id, now, true);
  return { token, scopes, createdAt: now };
}

/** Other tokens have 64 hexadecimal digits. */
function newToken(): string {
  return randomBytes(32).toString("base64url");
}
