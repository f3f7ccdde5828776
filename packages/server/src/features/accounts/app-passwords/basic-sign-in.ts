import { createHmac, randomBytes } from "node:crypto";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import type { UserId } from "../../ids.ts";
import { usernameToSignIn, type SignedIn } from "../account.ts";
import { findAccount } from "../account-store.ts";
import { checkPassword, type SignInDeps } from "../sign-in/sign-in.ts";
import { hasFactor } from "../stores/second-factor-store.ts";
import {
  findActiveUser,
  findAppPasswordUse,
  updateAppPasswordUse,
} from "../stores/app-password-store.ts";
import { bareSecret } from "./app-passwords.ts";

export type BasicSignInDeps = SignInDeps & {
  /** `host[:port]` of the handles of this server. */
  readonly handleHost: string;
};

/** The name and the password that a program sends with each request (RFC 7617). */
export type BasicCredentials = {
  /** A username, or a handle of this server. */
  readonly name: string;
  readonly password: string;
  /** The source network. */
  readonly from: string;
};

/** Programs make dozens of requests in a row, and the check of a password is slow by design. */
const KEEP_MS = 5 * 60_000;
const MAX_KEPT = 1000;
const HOUR_MS = 3_600_000;

/** An account password that was right, for as long as the account has it. */
type Proven = { readonly userId: UserId; readonly passwordHash: string };

/**
 * Signs in programs that send a password with each request: an app password, or, for an
 * account without a second factor, the account's own.
 */
export function createBasicSignIn(deps: BasicSignInDeps) {
  const proven = createLruCache<string, Proven>({
    ...{ max: MAX_KEPT, keepMs: KEEP_MS, clock: deps.clock },
  });
  const key = randomBytes(32);
  const digestOf = (name: string, password: string) =>
    createHmac("sha256", key).update(`${name}\0${password}`).digest("base64");
  /**
   * @returns undefined for wrong ones
   * @throws {KithError} `too_many_requests`
   */
  return async ({ name, password, from }: BasicCredentials) => {
    const username = usernameToSignIn(name, deps.handleHost);
    const byApp = await signInWithAppPassword(deps, username, password);
    if (byApp) return byApp;
    const digest = digestOf(username, password);
    const kept = proven.get(digest);
    const found =
      kept && (await isStill(deps, kept))
        ? kept
        : await proveAccount(deps, username, password, from);
    if (!found || (await hasFactor(deps.db.read, found.userId)))
      return undefined;
    if (found !== kept) proven.set(digest, found);
    return findActiveUser(deps.db.read, found.userId);
  };
}

/** The password is 120 random bits, so wrong ones need not be counted before the look-up. */
async function signInWithAppPassword(
  { db, clock }: BasicSignInDeps,
  username: string,
  password: string,
): Promise<SignedIn | undefined> {
  const secret = bareSecret(password);
  const found = await findAppPasswordUse(db.read, username, secret);
  if (!found) return undefined;
  const now = clock.now();
  const { id, lastUsedAt, user } = found;
  if (lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) >= HOUR_MS)
    await db.transaction((tx) => updateAppPasswordUse(tx, id, timestamp(now)));
  return user;
}

async function proveAccount(
  deps: BasicSignInDeps,
  username: string,
  password: string,
  from: string,
): Promise<Proven | undefined> {
  const check = await checkPassword(deps, username, password, from);
  if (check.kind !== "right") return undefined;
  const { id: userId, passwordHash } = check.account;
  return { userId, passwordHash };
}

/** Was the password not changed since it was proven, nor the account suspended? */
async function isStill(
  { db }: BasicSignInDeps,
  { userId, passwordHash }: Proven,
): Promise<boolean> {
  const account = await findAccount(db.read, { id: userId });
  return account?.state === "active" && account.passwordHash === passwordHash;
}
