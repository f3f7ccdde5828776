import { randomBytes } from "node:crypto";
import type { Db, Tx } from "../../../db/db.ts";
import { lockKey } from "../../../db/dialect.ts";
import { later, timestamp, type Clock } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type { UserId } from "../../ids.ts";
import { MAX_PASSWORD_LENGTH, usernameToSignIn } from "../account.ts";
import {
  findAccount,
  updatePassword,
  type StoredAccount,
} from "../account-store.ts";
import type { Credentials } from "./credentials.ts";
import { describeDevice } from "./device.ts";
import type { EndAccessDeps } from "./end-access.ts";
import type { Guessing } from "./guessing.ts";
import {
  deleteExpiredSignIns,
  insertPendingSignIn,
} from "../stores/pending-sign-in-store.ts";
import { hasFactor } from "../stores/second-factor-store.ts";
import {
  deleteExpiredSessions,
  findSession,
  insertSession,
} from "../stores/session-store.ts";

export type SignInDeps = EndAccessDeps & {
  /** The part of own addresses after the @. */
  readonly handleHost: string;
  readonly db: Db;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly guessing: Guessing;
};

const SESSION_MS = 30 * 24 * 3_600_000;
const SECOND_STEP_MS = 10 * 60_000;

export const suspendedError = () =>
  new KithError("suspended", "This account is suspended.");

type PasswordCheck =
  | { readonly kind: "right" | "suspended"; readonly account: StoredAccount }
  | { readonly kind: "unknown_user" }
  | { readonly kind: "wrong_password" };

/**
 * Checks name and password; takes as long for an unknown name as for a wrong password.
 * @param from the source network, if any
 * @throws {KithError} `too_many_requests`
 */
export async function checkPassword(
  deps: SignInDeps,
  typed: string,
  password: string,
  from: string | undefined,
): Promise<PasswordCheck> {
  const { db, credentials, guessing } = deps;
  const username = usernameToSignIn(typed, deps.handleHost);
  const attempt = guessing.begin(username, from);
  const account = await findAccount(db.read, { username });
  const usable =
    account?.state === "active" || account?.state === "suspended"
      ? account
      : undefined;
  const matches =
    password.length <= MAX_PASSWORD_LENGTH &&
    (await credentials.passwords.verify(usable?.passwordHash, password));
  if (!usable) return { kind: "unknown_user" };
  if (!matches) return { kind: "wrong_password" };
  attempt.succeed();
  // Reveal the suspension only to users who know the password.
  if (usable.state === "suspended")
    return { kind: "suspended", account: usable };
  return { kind: "right", account: await renewHash(deps, usable, password) };
}

/** Replaces the hash of another program, now that the password is known. */
async function renewHash(
  { db, clock, credentials }: SignInDeps,
  checked: StoredAccount,
  password: string,
): Promise<StoredAccount> {
  if (!credentials.passwords.isBorrowed(checked.passwordHash)) return checked;
  const passwordHash = await credentials.passwords.hash(password);
  return db.transaction(async (tx) => {
    if (!(await isUnchanged({ db }, tx, checked))) return checked;
    const now = timestamp(clock.now());
    await updatePassword(tx, checked.id, passwordHash, now);
    return { ...checked, passwordHash };
  });
}

/**
 * Is the checked account still unchanged? Checking a password takes time, in which it may
 * be changed. To be called in the transaction that signs the user in; concurrent changes
 * of the account wait.
 */
export async function isUnchanged(
  { db }: Pick<SignInDeps, "db">,
  tx: Tx,
  checked: StoredAccount,
): Promise<boolean> {
  await lockAccount(db, tx, checked.id);
  const account = await findAccount(tx, { id: checked.id });
  return (
    account?.state === "active" && account.passwordHash === checked.passwordHash
  );
}

/** Makes changes of an account and sign-ins to it wait for each other. */
export function lockAccount(db: Db, tx: Tx, id: UserId): Promise<void> {
  return lockKey(tx, db.dialect, `account:${id}`);
}

/** Makes concurrent removals of admin rights wait for each other: one admin has to be left. */
export function lockAdmins(db: Db, tx: Tx): Promise<void> {
  return lockKey(tx, db.dialect, "admins");
}

/**
 * Locks the account of a user whose password has just been checked: if the session was
 * ended meanwhile, that check is void, too.
 * @throws {KithError} `unauthorized`
 */
export async function lockLivingSession(
  { db, clock }: Pick<SignInDeps, "db" | "clock">,
  tx: Tx,
  userId: UserId,
  session: string,
): Promise<void> {
  await lockAccount(db, tx, userId);
  const found = await findSession(tx, session, timestamp(clock.now()));
  if (found?.user.userId !== userId)
    throw new KithError("unauthorized", "The session has ended meanwhile.");
}

/** The origin of a sign-in. */
export type SignInFrom = {
  /** The source network, if any: wrong passwords and codes from it are counted. */
  readonly from?: string;
  /** The browser's `User-Agent`. */
  readonly userAgent?: string | undefined;
};

export type SignInResult =
  | { readonly kind: "signed_in"; readonly secret: string }
  /** The password was right; the second factor is still missing. */
  | { readonly kind: "second_step"; readonly secret: string };

/**
 * Begins a web session, or waits for the second factor.
 * @returns the result with the secret for the cookie; undefined if name or password is
 *   wrong
 * @throws {KithError} `too_many_requests`, or `suspended` if both are right
 */
export async function signIn(
  deps: SignInDeps,
  username: string,
  password: string,
  { from, userAgent }: SignInFrom = {},
): Promise<SignInResult | undefined> {
  const check = await checkPassword(deps, username, password, from);
  if (check.kind === "suspended") throw suspendedError();
  if (check.kind !== "right") return undefined;
  const { id } = check.account;
  return deps.db.transaction(async (tx) => {
    if (!(await isUnchanged(deps, tx, check.account))) return undefined;
    return (await hasFactor(tx, id))
      ? { kind: "second_step", secret: await beginSecondStep(deps, tx, id) }
      : {
          kind: "signed_in",
          secret: await beginSession(deps, tx, id, userAgent),
        };
  });
}

async function beginSecondStep(
  { clock }: SignInDeps,
  tx: Tx,
  userId: UserId,
): Promise<string> {
  const now = clock.now();
  const secret = newSecret();
  await deleteExpiredSignIns(tx, timestamp(now));
  await insertPendingSignIn(tx, {
    secret,
    userId,
    expiresAt: timestamp(later(now, SECOND_STEP_MS)),
  });
  return secret;
}

/**
 * Begins a session for an authenticated user.
 * @returns the secret for the cookie
 */
export async function beginSession(
  { clock }: Pick<SignInDeps, "clock">,
  tx: Tx,
  userId: UserId,
  userAgent: string | undefined,
): Promise<string> {
  const now = clock.now();
  const secret = newSecret();
  await deleteExpiredSessions(tx, timestamp(now));
  await insertSession(tx, {
    secret,
    userId,
    csrfToken: newSecret(),
    createdAt: timestamp(now),
    expiresAt: timestamp(later(now, SESSION_MS)),
    device: describeDevice(userAgent),
  });
  return secret;
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
