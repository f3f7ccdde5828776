import { randomBytes } from "node:crypto";
import type { Db, Tx } from "../../../db/db.ts";
import {
  timestamp,
  type Clock,
  type Timestamp,
} from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Audit, Doer } from "../../audit/index.ts";
import type { UserId } from "../../ids.ts";
import type { Page } from "../../page.ts";
import {
  canonicalUsername,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type Account,
  type Role,
} from "../account.ts";
import {
  deletePending,
  findAccount,
  updateApproved,
  updateAccountClosed,
  updatePassword,
  updateRole,
} from "../account-store.ts";
import {
  findAccountRecord,
  hasAnother,
  listAccountRecords,
  listRecordsAfter,
  type AccountFilter,
} from "./administration-queries.ts";
import type { Credentials } from "../sign-in/credentials.ts";
import {
  endAccess,
  forgetFactors,
  type EndAccessDeps,
} from "../sign-in/end-access.ts";
import { deleteKeys } from "../keys/key-store.ts";
import { makePerson, type MakePersonDeps } from "../sign-in/make-person.ts";
import { isPossiblePassword } from "../sign-in/passwords.ts";
import { lockAccount, lockAdmins } from "../sign-in/sign-in.ts";

export type AdministrationDeps = MakePersonDeps &
  EndAccessDeps & {
    readonly db: Db;
    readonly clock: Clock;
    readonly credentials: Credentials;
    readonly audit: Audit;
  };

/** Identifies an account; the command line uses the username. */
export type AccountKey =
  { readonly id: UserId } | { readonly username: string };

const PASSWORD_BYTES = 12;

/**
 * Administrative actions on accounts; each is recorded in the audit log. All throw
 * `user_not_found` for an unknown account.
 */
export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration(deps: AdministrationDeps) {
  const { db, credentials } = deps;
  return {
    list: (filter: AccountFilter, page: Page) =>
      listAccountRecords(db.read, filter, page),
    /** Lists some accounts after an id, oldest first. */
    listAfter: (afterId: number, limit: number) =>
      listRecordsAfter(db.read, afterId, limit),
    /** @throws {KithError} `user_not_found` */
    get: async (id: UserId) => {
      const found = await findAccountRecord(db.read, id);
      if (!found) throw new KithError("user_not_found", "No such account.");
      return found;
    },
    /**
     * Approves a pending account.
     * @throws {KithError} `conflict` if no approval is pending
     */
    approve: (by: Doer, key: AccountKey) => approve(deps, by, key),
    /**
     * Rejects a pending account: all its data is deleted and its name is free again.
     * @throws {KithError} `conflict` if no approval is pending
     */
    reject: (by: Doer, key: AccountKey) => reject(deps, by, key),
    /** @throws {KithError} `conflict` if no admin would be left, or the account is closed */
    setRole: (by: Doer, key: AccountKey, role: Role) =>
      setRole(deps, by, key, role),
    /**
     * Sets a new password and ends every session and token, so that the old password gives
     * no access any more. The second factor and the passkeys stay.
     * @param password generated if absent
     * @returns the new password
     * @throws {KithError} `invalid` for one that is too short or too long, `conflict` for
     *   a closed account
     */
    resetPassword: async (
      by: Doer,
      key: AccountKey,
      password = randomBytes(PASSWORD_BYTES).toString("base64url"),
    ): Promise<string> => {
      refuseImpossible(password);
      const hash = await credentials.passwords.hash(password);
      await change(deps, by, key, async (tx, account, now) => {
        refuseClosed(account);
        await updatePassword(tx, account.id, hash, now);
        await endAccess(deps, tx, account.id);
        return { action: "account.reset_password" };
      });
      return password;
    },
    /**
     * Deletes the second factor, the recovery codes and the passkeys, and ends every
     * session and token.
     */
    resetSecondFactor: (by: Doer, key: AccountKey) =>
      change(deps, by, key, async (tx, { id }) => {
        await forgetFactors(tx, id);
        await endAccess(deps, tx, id);
        return { action: "account.reset_second_factor" };
      }),
    /** Ends every session and token: all browsers and programs must sign in again. */
    endSessions: (by: Doer, key: AccountKey) =>
      change(deps, by, key, async (tx, { id }) => {
        await endAccess(deps, tx, id);
        return { action: "account.end_sessions" };
      }),
  };
}

type WrittenDown = Pick<
  Parameters<Audit["recordAct"]>[1],
  "action" | "details"
>;

/** Changes an account and records the action, while sign-ins to it wait. */
async function change(
  { db, clock, audit }: AdministrationDeps,
  by: Doer,
  key: AccountKey,
  act: (tx: Tx, account: Account, now: Timestamp) => Promise<WrittenDown>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id } = await getAccount(tx, key);
    await lockAccount(db, tx, id);
    // It may have changed, or been deleted, before the lock was acquired.
    const account = await getAccount(tx, { id });
    const done = await act(tx, account, timestamp(clock.now()));
    await audit.recordAct(tx, { by, target: account.username, ...done });
  });
}

async function getAccount(tx: Tx, key: AccountKey): Promise<Account> {
  const account = await findAccount(
    tx,
    "id" in key ? key : { username: canonicalUsername(key.username) },
  );
  if (!account) throw new KithError("user_not_found", "No such account.");
  return account;
}

async function approve(
  deps: AdministrationDeps,
  by: Doer,
  key: AccountKey,
): Promise<void> {
  // Key generation is slow, so it happens before the lock is taken.
  const keys = await deps.credentials.makeKeyPairs();
  await change(deps, by, key, async (tx, account, now) => {
    if (!(await updateApproved(tx, account.id, now))) throw doesNotWait();
    // An account left pending by an older Kith already has a person.
    if (!(await deps.people.find({ userId: account.id }, tx)))
      await makePerson(deps, tx, account, keys);
    return { action: "account.approve" };
  });
}

async function reject(
  deps: AdministrationDeps,
  by: Doer,
  key: AccountKey,
): Promise<void> {
  await change(deps, by, key, async (tx, account, now) => {
    if (account.state !== "pending") throw doesNotWait();
    const person = await deps.people.find({ userId: account.id }, tx);
    // An app with which the account was made has a token.
    await endAccess(deps, tx, account.id);
    if (!person) await deletePending(tx, account.id);
    else {
      // Under an older Kith, pending accounts could be found and mentioned: that name stays
      // taken.
      await deps.people.close(tx, person.id);
      await deleteKeys(tx, account.id);
      await updateAccountClosed(tx, account.id, now);
    }
    return { action: "account.reject" };
  });
}

async function setRole(
  deps: AdministrationDeps,
  by: Doer,
  key: AccountKey,
  role: Role,
): Promise<void> {
  await change(deps, by, key, async (tx, account, now) => {
    refuseClosed(account);
    // Two admins who demote each other concurrently must not both succeed.
    await lockAdmins(deps.db, tx);
    if (account.role === "admin" && role !== "admin")
      if (!(await hasAnother(tx, "admin", account.id)))
        throw new KithError(
          "conflict",
          `The account ${account.username} is the last admin.`,
        );
    await updateRole(tx, account.id, role, now);
    const details = `${account.role} -> ${role}`;
    return { action: "account.set_role", details };
  });
}

function doesNotWait(): KithError {
  return new KithError("conflict", "This account is not waiting for approval.");
}

function refuseClosed({ state, username }: Account): void {
  if (state === "closed")
    throw new KithError("conflict", `The account ${username} is closed.`);
}

function refuseImpossible(password: string): void {
  if (!isPossiblePassword(password))
    throw new KithError(
      "invalid",
      `A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    );
}
