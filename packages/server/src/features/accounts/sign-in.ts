import { randomBytes } from "node:crypto";
import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { later, timestamp, type Clock } from "../../lib/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { UserId } from "../ids.ts";
import { canonicalUsername, MAX_PASSWORD_LENGTH } from "./account.ts";
import { findAccount, type StoredAccount } from "./account-store.ts";
import type { Credentials } from "./credentials.ts";
import type { Guessing } from "./guessing.ts";
import { deleteExpiredSessions, insertSession } from "./session-store.ts";

export type SignInDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly guessing: Guessing;
};

const SESSION_MS = 30 * 24 * 3_600_000;

export const suspendedError = () =>
  new KithError("suspended", "This account is suspended");

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
 * Begins a web session.
 * @param from the network it comes from, if any
 * @returns the secret for the cookie, or undefined where name or password is wrong
 * @throws {KithError} `too_many_requests`, or `suspended` where both are right
 */
export async function signIn(
  deps: SignInDeps,
  username: string,
  password: string,
  from?: string,
): Promise<string | undefined> {
  const check = await checkPassword(deps, username, password, from);
  if (check.kind === "suspended") throw suspendedError();
  if (check.kind !== "right") return undefined;
  const { db, clock } = deps;
  const secret = randomBytes(32).toString("base64url");
  return db.transaction(async (tx) => {
    if (!(await isUnchanged(deps, tx, check.account))) return undefined;
    const now = clock.now();
    await deleteExpiredSessions(tx, timestamp(now));
    await insertSession(tx, {
      secret,
      userId: check.account.id,
      csrfToken: randomBytes(32).toString("base64url"),
      createdAt: timestamp(now),
      expiresAt: timestamp(later(now, SESSION_MS)),
    });
    return secret;
  });
}
