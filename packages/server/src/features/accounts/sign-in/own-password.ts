import type { Reader, Tx } from "../../../db/db.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import {
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type SignedIn,
} from "../account.ts";
import type { UserId } from "../../ids.ts";
import {
  findAccount,
  updateAccountClosed,
  updatePassword,
  type StoredAccount,
} from "../account-store.ts";
import { endAccess, forgetFactors } from "./end-access.ts";
import { isPossiblePassword } from "./passwords.ts";
import {
  checkPassword,
  isUnchanged,
  lockAccount,
  type SignInDeps,
} from "./sign-in.ts";

/**
 * Checks the password of a signed-in user.
 * @param from the source network, if any
 * @throws {KithError} `unauthorized` or `too_many_requests`
 */
export async function provePassword(
  deps: SignInDeps,
  { username }: SignedIn,
  password: string,
  from: string | undefined,
): Promise<StoredAccount> {
  const check = await checkPassword(deps, username, password, from);
  if (check.kind !== "right")
    throw new KithError("unauthorized", "Wrong password.");
  return check.account;
}

/** @throws {KithError} `unauthorized` if the account was changed meanwhile */
async function refuseChanged(
  deps: SignInDeps,
  tx: Tx,
  proven: StoredAccount,
): Promise<void> {
  if (!(await isUnchanged(deps, tx, proven)))
    throw new KithError("unauthorized", "The account was changed meanwhile.");
}

/** The password that a signed-in user enters again before a sensitive change. */
export type PasswordProof = {
  readonly password: string;
  /** The source network, if any. */
  readonly from?: string;
};

/**
 * Makes a change after checking the user's password.
 * @throws {KithError} `unauthorized` or `too_many_requests`
 */
export async function changeWithPassword<T>(
  deps: SignInDeps,
  user: SignedIn,
  { password, from }: PasswordProof,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const proven = await provePassword(deps, user, password, from);
  return changeProven(deps, proven, change);
}

/**
 * Makes a change for a user whose password has just been checked.
 * @throws {KithError} `unauthorized` if the account was changed meanwhile
 */
export function changeProven<T>(
  deps: SignInDeps,
  proven: StoredAccount,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  return deps.db.transaction(async (tx) => {
    await refuseChanged(deps, tx, proven);
    return change(tx);
  });
}

/**
 * Changes the user's own password. Ends every session and token except the requesting one,
 * so that stolen ones give no access any more. The second factor and the passkeys stay.
 * @throws {KithError} `unauthorized` for a wrong password, `too_many_requests` for many of
 *   them, `bad_request` for a new one that is too short or too long
 */
export async function changePassword(
  deps: SignInDeps,
  user: SignedIn,
  change: {
    readonly current: string;
    readonly wanted: string;
    /** The secret of the requesting session or token, which stays. */
    readonly kept: { readonly session?: string; readonly token?: string };
    readonly from?: string;
  },
): Promise<void> {
  refuseImpossible(change.wanted);
  const proven = await provePassword(deps, user, change.current, change.from);
  const passwordHash = await deps.credentials.passwords.hash(change.wanted);
  await changeProven(deps, proven, async (tx) => {
    const now = timestamp(deps.clock.now());
    await updatePassword(tx, proven.id, passwordHash, now);
    await endAccess(deps, tx, proven.id, change.kept);
  });
}

function refuseImpossible(wanted: string): void {
  if (!isPossiblePassword(wanted))
    throw new KithError(
      "bad_request",
      `The new password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    );
}

/** How somebody without the password proves to be the owner of an account. */
export type OwnerProof = {
  /** Whose account it is; undefined if nothing is proven. */
  readonly find: (reader: Reader) => Promise<UserId | undefined>;
  /** Ends the proof, in the transaction that sets the password. */
  readonly use: (tx: Tx, userId: UserId) => Promise<void>;
};

/**
 * Sets a new password for the owner of a proof, and ends every session and token. The second
 * factor and the passkeys stay: nobody is signed in by it.
 * @throws {KithError} `bad_request` for a password that is too short or too long, `not_found`
 *   without a proof, and for an account that is not active
 */
export async function replacePassword(
  deps: SignInDeps,
  wanted: string,
  proof: OwnerProof,
): Promise<void> {
  const absent = () => new KithError("not_found", "Nothing is proven.");
  // Hashing is costly: nobody without a proof causes it.
  if ((await proof.find(deps.db.read)) === undefined) throw absent();
  refuseImpossible(wanted);
  const passwordHash = await deps.credentials.passwords.hash(wanted);
  await deps.db.transaction(async (tx) => {
    const userId = await proof.find(tx);
    if (userId === undefined) throw absent();
    await lockAccount(deps.db, tx, userId);
    // Somebody may have used it before the lock was acquired.
    const account = await findAccount(tx, { id: userId });
    if (account?.state !== "active" || (await proof.find(tx)) !== userId)
      throw absent();
    await updatePassword(tx, userId, passwordHash, timestamp(deps.clock.now()));
    await endAccess(deps, tx, userId);
    await proof.use(tx, userId);
  });
}

/**
 * Closes an account: no one can sign in any more, and the name stays taken. The keys stay
 * until `forgetKeys`, for messages that must still be sent on its behalf.
 * @throws {KithError} `unauthorized` if the account was changed meanwhile
 */
export async function closeAccount(
  deps: SignInDeps,
  tx: Tx,
  proven: StoredAccount,
): Promise<void> {
  await refuseChanged(deps, tx, proven);
  await updateAccountClosed(tx, proven.id, timestamp(deps.clock.now()));
  await endAccess(deps, tx, proven.id);
  await forgetFactors(tx, proven.id);
}
