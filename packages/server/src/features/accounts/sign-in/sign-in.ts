import { randomBytes } from "node:crypto";
import type { Db, Tx } from "../../../db/db.ts";
import { lockKey } from "../../../db/dialect.ts";
import { later, timestamp, type Clock } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type { UserId } from "../../ids.ts";
import { canonicalUsername, MAX_PASSWORD_LENGTH } from "../account.ts";
import { findAccount, type StoredAccount } from "../account-store.ts";
import type { Credentials } from "./credentials.ts";
import { describeDevice } from "./device.ts";
import type { Guessing } from "./guessing.ts";
import {
  deleteExpiredSignIns,
  insertPendingSignIn,
} from "./pending-sign-in-store.ts";
import { hasFactor } from "../two-factor/second-factor-store.ts";
import {
  deleteExpiredSessions,
  findSession,
  insertSession,
} from "./session-store.ts";

export type SignInDeps = {
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
 * @param from the network it comes from, if any
 * @throws {KithError} `too_many_requests`
 */
export async function checkPassword(
  { db, credentials, guessing }: SignInDeps,
  username: string,
  password: string,
  from: string | undefined,
): Promise<PasswordCheck> {
  const attempt = guessing.begin(username, from);
  const account = await findAccount(db.read, {
    username: canonicalUsername(username),
  });
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
  // Only to whoever knows the password: others learn nothing by asking.
  const kind = usable.state === "suspended" ? "suspended" : "right";
  return { kind, account: usable };
}

/**
 * Checking a password takes time, in which it may be changed: is what was
 * checked still so? Asked in the transaction that lets the user in. Whoever
 * changes the account in the meantime waits.
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

/** Lets changes of one account and its sign-ins wait for each other. */
export function lockAccount(db: Db, tx: Tx, id: UserId): Promise<void> {
  return lockKey(tx, db.dialect, `account:${id}`);
}

/** Lets those wait for each other who take the rights of admins away: one has to be left. */
export function lockAdmins(db: Db, tx: Tx): Promise<void> {
  return lockKey(tx, db.dialect, "admins");
}

/**
 * Locks the account of somebody whose password was proven a moment ago: whoever
 * took the session away meanwhile took that back, too.
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

/** Where a sign-in comes from. */
export type SignInFrom = {
  /** The network, if any: wrong passwords and codes from there are counted. */
  readonly from?: string;
  /** As the browser calls itself. */
  readonly userAgent?: string | undefined;
};

export type SignInResult =
  | { readonly kind: "signed_in"; readonly secret: string }
  /** The password was right; nobody is signed in before the second factor is. */
  | { readonly kind: "second_step"; readonly secret: string };

/**
 * Begins a web session, or waits for the second factor.
 * @returns with the secret for the cookie; undefined where name or password is wrong
 * @throws {KithError} `too_many_requests`, or `suspended` where both are right
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

/** For somebody who has proven who it is. @returns the secret for the cookie */
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
