import { randomBytes } from "node:crypto";
import type { Tx } from "../../../db/db.ts";
import { later, timestamp, type Timestamp } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type { UserId } from "../../ids.ts";
import type { SignedIn } from "../account.ts";
import { endAccess } from "../sign-in/end-access.ts";
import type { Attempt, Guessing } from "../sign-in/guessing.ts";
import {
  changeProven,
  changeWithPassword,
  provePassword,
  type PasswordProof,
} from "../sign-in/own-password.ts";
import {
  deletePendingSignIn,
  findPendingSignIn,
} from "../stores/pending-sign-in-store.ts";
import type { BoundSeal } from "../keys/seal.ts";
import {
  deleteFactor,
  findFactor,
  hasFactor,
  replaceRecoveryCodes,
  saveUnconfirmedFactor,
  takeRecoveryCode,
  updateFactorConfirmed,
  updateLastStep,
} from "../stores/second-factor-store.ts";
import { hashSecret } from "../keys/hash-secret.ts";
import {
  beginSession,
  lockAccount,
  lockLivingSession,
  type SignInDeps,
  type SignInFrom,
} from "../sign-in/sign-in.ts";
import {
  describeKey,
  findStep,
  toBase32,
  TOTP_SECRET_BYTES,
  type TotpKey,
} from "./totp.ts";

export type SecondFactorDeps = SignInDeps & {
  /** Opens the TOTP secrets, each bound to its own row. */
  readonly factorSeal: BoundSeal;
  readonly guessingCodes: Guessing;
  readonly guessingRecoveryCodes: Guessing;
  /** `host[:port]` of the handles of this server. */
  readonly handleHost: string;
};

/** The password, and the secret of the session that stays. */
export type SessionProof = PasswordProof & { readonly session: string };
/** The same with a TOTP code or a recovery code. */
export type FactorProof = SessionProof & { readonly code: string };

const CONFIRM_WITHIN_MS = 30 * 60_000;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/**
 * Counts an attempt before the code is checked.
 * @param code undefined if none was given: then nothing is counted
 * @throws {KithError} `too_many_requests`
 */
export function beginCode(
  deps: SecondFactorDeps,
  { username }: { readonly username: string },
  code: string | undefined,
  from: string | undefined,
): Attempt {
  if (code === undefined) return { succeed: () => {} };
  const guessing = isOfApp(bare(code))
    ? deps.guessingCodes
    : deps.guessingRecoveryCodes;
  return guessing.begin(username, from);
}

/**
 * Accepts and consumes a TOTP code not accepted before, or a recovery code. Must run in a
 * transaction that has locked the account.
 */
export async function acceptCode(
  deps: SecondFactorDeps,
  tx: Tx,
  userId: UserId,
  code: string | undefined,
): Promise<boolean> {
  if (code === undefined || !(await hasFactor(tx, userId))) return false;
  const given = bare(code);
  return isOfApp(given)
    ? acceptAppCode(deps, tx, userId, given)
    : takeRecoveryCode(tx, userId, hashRecoveryCode(userId, given));
}

async function acceptAppCode(
  { factorSeal, clock }: SecondFactorDeps,
  tx: Tx,
  userId: UserId,
  code: string,
): Promise<boolean> {
  const factor = await findFactor(tx, userId);
  if (!factor) return false;
  const secret = factorSeal.open(factor.sealed, nameOf(userId));
  const step = findStep(secret, code, clock.now(), factor.lastStep);
  return step !== undefined && updateLastStep(tx, userId, step);
}

/**
 * Completes the second step of a sign-in.
 * @param pending the secret issued after the password
 * @returns the secret for the cookie, or undefined if the code is wrong
 * @throws {KithError} `not_found` if the first step has expired or was revoked,
 *   `too_many_requests`
 */
export async function finishSignIn(
  deps: SecondFactorDeps,
  pending: string,
  code: string,
  { from, userAgent }: SignInFrom,
): Promise<string | undefined> {
  const { db, clock } = deps;
  const now = timestamp(clock.now());
  const found = await findPendingSignIn(db.read, pending, now);
  if (!found) throw new KithError("not_found", "No sign-in waits.");
  const attempt = beginCode(deps, found, code, from);
  const secret = await db.transaction(async (tx) => {
    await lockAccount(db, tx, found.userId);
    if (!(await findPendingSignIn(tx, pending, now)))
      throw new KithError("not_found", "No sign-in waits any more.");
    if (!(await acceptCode(deps, tx, found.userId, code))) return undefined;
    await deletePendingSignIn(tx, pending);
    return beginSession(deps, tx, found.userId, userAgent);
  });
  if (secret !== undefined) attempt.succeed();
  return secret;
}

/**
 * Creates a TOTP secret, replacing an unconfirmed one. It does not apply until one of its
 * codes has been accepted, and cannot be read again.
 * @throws {KithError} `unauthorized`, `too_many_requests`, or `conflict` if there is a
 *   second factor already
 */
export async function enrol(
  deps: SecondFactorDeps,
  user: SignedIn,
  proof: PasswordProof,
): Promise<TotpKey> {
  const secret = randomBytes(TOTP_SECRET_BYTES);
  await changeWithPassword(deps, user, proof, async (tx) => {
    if (await hasFactor(tx, user.userId))
      throw new KithError(
        "conflict",
        "The account has a second factor already.",
      );
    const sealed = deps.factorSeal.seal(secret, nameOf(user.userId));
    const now = timestamp(deps.clock.now());
    await saveUnconfirmedFactor(tx, user.userId, sealed, now);
  });
  return describeKey(secret, handleOf(deps, user));
}

/**
 * Confirms the second factor, which is required from now on. Ends all other sessions and
 * all tokens, which were created with the password alone.
 * @returns the recovery codes, which cannot be read again; undefined if the code is wrong
 * @throws {KithError} `conflict` if no secret awaits confirmation, `too_many_requests`
 */
export async function confirm(
  deps: SecondFactorDeps,
  user: SignedIn,
  { code, session, from }: Omit<FactorProof, "password">,
): Promise<readonly string[] | undefined> {
  const { db, clock } = deps;
  const attempt = beginCode(deps, user, code, from);
  const codes = await db.transaction(async (tx) => {
    await lockLivingSession(deps, tx, user.userId, session);
    const factor = await findFactor(tx, user.userId);
    if (!factor || !isWaiting(deps, factor)) throw noneWaits();
    if (!(await acceptAppCode(deps, tx, user.userId, bare(code))))
      return undefined;
    await updateFactorConfirmed(tx, user.userId, timestamp(clock.now()));
    await endAccess(deps, tx, user.userId, { session });
    return giveRecoveryCodes(tx, user.userId);
  });
  if (codes) attempt.succeed();
  return codes;
}

/** @throws {KithError} `unauthorized` for a wrong password or code, `too_many_requests` */
export function renewRecoveryCodes(
  deps: SecondFactorDeps,
  user: SignedIn,
  proof: FactorProof,
): Promise<readonly string[]> {
  return changeWithFactor(deps, user, proof, (tx) =>
    giveRecoveryCodes(tx, user.userId),
  );
}

/** @throws {KithError} `unauthorized` for a wrong password or code, `too_many_requests` */
export function turnOff(
  deps: SecondFactorDeps,
  user: SignedIn,
  proof: FactorProof,
): Promise<void> {
  return changeWithFactor(deps, user, proof, (tx) =>
    deleteFactor(tx, user.userId),
  );
}

/** The password is checked first: without it, an attacker learns nothing about codes. */
async function changeWithFactor<T>(
  deps: SecondFactorDeps,
  user: SignedIn,
  proof: FactorProof,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { password, code, from } = proof;
  const proven = await provePassword(deps, user, password, from);
  // Outside the transaction, which may be retried: one attempt counts once.
  const attempt = beginCode(deps, user, code, from);
  const changed = await changeProven(deps, proven, async (tx) => {
    if (!(await acceptCode(deps, tx, user.userId, code)))
      throw new KithError("unauthorized", "Wrong code.");
    await endAccess(deps, tx, user.userId, { session: proof.session });
    return change(tx);
  });
  attempt.succeed();
  return changed;
}

async function giveRecoveryCodes(
  tx: Tx,
  userId: UserId,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(randomBytes(RECOVERY_BYTES)).toLowerCase(),
  );
  const hashes = codes.map((code) => hashRecoveryCode(userId, code));
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join("-"));
}

/** A recovery code has 80 random bits and needs no slow hash. */
function hashRecoveryCode(userId: UserId, code: string): string {
  return hashSecret(`recovery code of user ${userId}: ${code}`);
}

/** Normalizes a typed code, which may contain blanks and hyphens anywhere. */
function bare(code: string): string {
  return code.replaceAll(/[\s-]/g, "").toLowerCase();
}

function isOfApp(code: string): boolean {
  return /^\d{6}$/.test(code);
}

function isWaiting(
  { clock }: SecondFactorDeps,
  factor: { readonly createdAt: Timestamp; readonly confirmedAt: unknown },
): boolean {
  const oldest = timestamp(later(clock.now(), -CONFIRM_WITHIN_MS));
  return factor.confirmedAt === null && factor.createdAt > oldest;
}

function noneWaits(): KithError {
  return new KithError(
    "conflict",
    "No second factor has been started, or its time is over.",
  );
}

/** Part of the authenticated data: if this format changes, sealed secrets no longer open. */
function nameOf(userId: UserId): string {
  return `second factor of user ${userId}`;
}

function handleOf({ handleHost }: SecondFactorDeps, user: SignedIn): string {
  return `${user.username}@${handleHost}`;
}
