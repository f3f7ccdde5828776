import type { Db } from "../../db/db.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { UserId } from "../ids.ts";
import {
  findAccessUse,
  isOfPendingAccount,
  findStoredAccess,
  updateAccessUse,
} from "./access-store.ts";
import { findApp, updateAppUse } from "./app-store.ts";
import {
  UNUSED_ACCESS_MS,
  UNUSED_OWN_ACCESS_MS,
  USE_MS,
  type Access,
  type App,
} from "./app.ts";
import type { Scope } from "./scopes.ts";

export type FindAccessDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: {
    readonly authenticate: (token: string) => Promise<SignedIn | undefined>;
    readonly noteSeen: (userId: UserId) => Promise<void>;
  };
};

/** Tokens that people get for their password; those of apps are never so long. */
const PASSWORD_TOKEN = /^[0-9a-f]{64}$/;

/**
 * Finds what a token allows, and records once a day that it is used.
 * @returns undefined for an unknown token, and for an app's own
 */
export async function findAccess(
  { db, clock, accounts }: FindAccessDeps,
  token: string,
): Promise<Access | undefined> {
  if (PASSWORD_TOKEN.test(token)) {
    const user = await accounts.authenticate(token);
    return user && { user, scopes: "all", app: null };
  }
  const now = clock.now();
  const usedAfter = timestamp(later(now, -UNUSED_ACCESS_MS));
  const use = await findAccessUse(db.read, token, usedAfter);
  if (!use) return undefined;
  if (now.getTime() - Date.parse(use.lastUsedAt) > USE_MS) {
    await db.transaction(async (tx) => {
      await updateAccessUse(tx, use.id, timestamp(now));
      await updateAppUse(tx, use.appId, timestamp(now), true);
    });
    await accounts.noteSeen(use.user.userId);
  }
  const { user, scopes, app } = use;
  return { user, scopes, app };
}

/** The app that a token was given to, with or without a user, and the scopes of the token. */
export async function findAppOfToken(
  deps: FindAccessDeps,
  token: string,
): Promise<
  | { readonly app: App; readonly scopes: readonly Scope[]; isOwn: boolean }
  | undefined
> {
  const { db, clock } = deps;
  const stored = await findStoredAccess(db.read, token);
  if (!stored) return undefined;
  const isOwn = stored.userId === null;
  if (!isOwn && !(await findAccess(deps, token))) return undefined;
  const now = clock.now();
  const unusedMs = now.getTime() - Date.parse(stored.lastUsedAt);
  if (unusedMs > UNUSED_OWN_ACCESS_MS && isOwn) return undefined;
  if (unusedMs > USE_MS && isOwn)
    await db.transaction(async (tx) => {
      await updateAccessUse(tx, stored.id, timestamp(now));
      await updateAppUse(tx, stored.appId, timestamp(now), false);
    });
  const app = await findApp(db.read, { id: stored.appId });
  return app && { app, scopes: stored.scopes, isOwn };
}

/** A token that gives access to no user, though it has not ended. */
export type TokenWithoutUser =
  | { readonly kind: "app"; readonly scopes: readonly Scope[] }
  /** Of an account that waits for approval. */
  | { readonly kind: "pending" };

export async function findTokenWithoutUser(
  deps: FindAccessDeps,
  token: string,
): Promise<TokenWithoutUser | undefined> {
  const found = await findAppOfToken(deps, token);
  if (found?.isOwn) return { kind: "app", scopes: found.scopes };
  return (await isOfPendingAccount(deps.db.read, token))
    ? { kind: "pending" }
    : undefined;
}
