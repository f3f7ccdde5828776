import type { Tx } from "../../../db/db.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import {
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type SignedIn,
} from "../account.ts";
import {
  updateAccountClosed,
  updatePassword,
  type StoredAccount,
} from "../account-store.ts";
import { endAccess, forgetFactors } from "./end-access.ts";
import { isPossiblePassword } from "./passwords.ts";
import { checkPassword, isUnchanged, type SignInDeps } from "./sign-in.ts";

/**
 * Somebody who is signed in shows that it knows the password, too.
 * @param from the network it comes from, if any
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

/** @throws {KithError} `unauthorized` where somebody changed the account meanwhile */
async function refuseChanged(
  deps: SignInDeps,
  tx: Tx,
  proven: StoredAccount,
): Promise<void> {
  if (!(await isUnchanged(deps, tx, proven)))
    throw new KithError("unauthorized", "The account was changed meanwhile.");
}

/** What somebody who is signed in gives once more before anything important changes. */
export type PasswordProof = {
  readonly password: string;
  /** The network it comes from, if any. */
  readonly from?: string;
};

/**
 * Changes something for somebody who knows the password.
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
 * Changes something for somebody who has shown a moment ago that it knows the password.
 * @throws {KithError} `unauthorized` where somebody changed the account meanwhile
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
 * Changes one's own password. Every session ends and every token but the one
 * that asks: whoever stole one is out. The second factor and the passkeys stay.
 * @throws {KithError} `unauthorized` for a wrong password, `too_many_requests` for many of them, `bad_request` for a new one that is too short or too long
 */
export async function changePassword(
  deps: SignInDeps,
  user: SignedIn,
  change: {
    readonly current: string;
    readonly wanted: string;
    readonly keptToken: string;
    readonly from?: string;
  },
): Promise<void> {
  if (!isPossiblePassword(change.wanted))
    throw new KithError(
      "bad_request",
      `The new password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    );
  const proven = await provePassword(deps, user, change.current, change.from);
  const passwordHash = await deps.credentials.passwords.hash(change.wanted);
  await changeProven(deps, proven, async (tx) => {
    const now = timestamp(deps.clock.now());
    await updatePassword(tx, proven.id, passwordHash, now);
    await endAccess(tx, proven.id, { token: change.keptToken });
  });
}

/**
 * Ends an account: nobody signs in any more, and the name stays taken. The keys
 * stay until `forgetKeys`, for what must still be said in its name.
 * @throws {KithError} `unauthorized` where somebody changed the account meanwhile
 */
export async function closeAccount(
  deps: SignInDeps,
  tx: Tx,
  proven: StoredAccount,
): Promise<void> {
  await refuseChanged(deps, tx, proven);
  await updateAccountClosed(tx, proven.id, timestamp(deps.clock.now()));
  await endAccess(tx, proven.id);
  await forgetFactors(tx, proven.id);
}
