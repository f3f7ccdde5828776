import type { Db } from "../../../db/db.ts";
import { later, timestamp } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type { PasskeyId, UserId } from "../../ids.ts";
import type { SignedIn } from "../account.ts";
import { findAccount } from "../account-store.ts";
import { endAccess } from "../sign-in/end-access.ts";
import {
  changeWithPassword,
  type PasswordProof,
} from "../sign-in/own-password.ts";
import {
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  takeChallenge,
  updatePasskeyUse,
} from "../stores/passkey-store.ts";
import type { SessionProof } from "../two-factor/second-factor.ts";
import {
  beginSession,
  lockAccount,
  lockLivingSession,
  type SignInDeps,
} from "../sign-in/sign-in.ts";
import {
  askForAny,
  askForNew,
  CHALLENGE_MS,
  readClaim,
  verifyNew,
  verifyUse,
  type PasskeyOptions,
  type Site,
} from "./webauthn.ts";

export type PasskeyDeps = SignInDeps & {
  readonly site: Site;
  readonly handleHost: string;
};

export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME = 50;
const NAMELESS = "Passkey";

/**
 * Returns the browser's options for creating a passkey, after checking the password.
 * @throws {KithError} `unauthorized`, `too_many_requests`, or `conflict` if there are too
 *   many
 */
export async function beginPasskey(
  deps: PasskeyDeps,
  user: SignedIn,
  proof: PasswordProof,
): Promise<PasskeyOptions> {
  const known = await listPasskeys(deps.db.read, user.userId);
  const { userId, username } = user;
  const handle = `${username}@${deps.handleHost}`;
  const asked = await askForNew(deps.site, { id: userId, handle }, known);
  await changeWithPassword(deps, user, proof, async (tx) => {
    if (known.length >= MAX_PASSKEYS)
      throw new KithError(
        "conflict",
        "The account has as many passkeys as it can have.",
      );
    await insertChallenge(tx, asked.challenge, userId, timesOf(deps));
  });
  return asked;
}

/**
 * Adds the passkey that the browser created.
 * @throws {KithError} `invalid` if it does not answer this user's challenge, `conflict` if
 *   it is already registered
 */
export async function addPasskey(
  deps: PasskeyDeps,
  { userId }: SignedIn,
  made: {
    /** JSON, as received from the browser. */
    readonly response: string;
    readonly name: string;
    /** The secret of the requesting session. */
    readonly session: string;
  },
): Promise<void> {
  const claim = readClaim(made.response);
  const isAsked = claim && (await useChallenge(deps, claim.challenge, userId));
  const passkey = isAsked ? await verifyNew(deps.site, claim) : undefined;
  if (!passkey)
    throw new KithError("invalid", "The passkey could not be confirmed.");
  const now = timestamp(deps.clock.now());
  const named = { ...passkey, name: nameFrom(made.name) };
  await deps.db.transaction(async (tx) => {
    await lockLivingSession(deps, tx, userId, made.session);
    if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS)
      throw new KithError(
        "conflict",
        "The account has as many passkeys as it can have.",
      );
    if (!(await insertPasskey(tx, userId, named, now)))
      throw new KithError("conflict", "This passkey cannot be added.");
  });
}

/** Returns the browser's options for a sign-in with any passkey. */
export async function beginPasskeySignIn(
  deps: PasskeyDeps,
): Promise<PasskeyOptions> {
  const asked = await askForAny(deps.site);
  await deps.db.transaction((tx) =>
    insertChallenge(tx, asked.challenge, null, timesOf(deps)),
  );
  return asked;
}

/**
 * Signs in the owner of the passkey. It counts as both factors, because the device has
 * verified a fingerprint, a face or a PIN.
 * @param response JSON, as received from the browser
 * @returns the secret for the cookie, or undefined if verification fails
 */
export async function signInWithPasskey(
  deps: PasskeyDeps,
  response: string,
  userAgent: string | undefined,
): Promise<string | undefined> {
  const { db, clock } = deps;
  const claim = readClaim(response);
  if (!claim || !(await useChallenge(deps, claim.challenge, null)))
    return undefined;
  const passkey = await findPasskey(db.read, claim.credentialId);
  if (!passkey) return undefined;
  const counter = await verifyUse(deps.site, claim, passkey);
  if (counter === undefined) return undefined;
  return db.transaction(async (tx) => {
    await lockAccount(db, tx, passkey.userId);
    const account = await findAccount(tx, { id: passkey.userId });
    if (account?.state !== "active") return undefined;
    const now = timestamp(clock.now());
    return (await updatePasskeyUse(tx, passkey.id, counter, now))
      ? beginSession(deps, tx, passkey.userId, userAgent)
      : undefined;
  });
}

/**
 * Removes a passkey and ends everything that may have been started with it: all other
 * sessions, and all tokens.
 * @throws {KithError} `unauthorized`, `too_many_requests`, or `not_found`
 */
export function removePasskey(
  deps: PasskeyDeps,
  user: SignedIn,
  proof: SessionProof,
  id: PasskeyId,
): Promise<void> {
  return changeWithPassword(deps, user, proof, async (tx) => {
    if (!(await deletePasskey(tx, user.userId, id)))
      throw new KithError("not_found", "No such passkey.");
    await endAccess(deps, tx, user.userId, { session: proof.session });
  });
}

/** Uses its own transaction: the challenge is consumed even if the attempt fails. */
function useChallenge(
  { db, clock }: { readonly db: Db; readonly clock: PasskeyDeps["clock"] },
  challenge: string,
  userId: UserId | null,
): Promise<boolean> {
  const now = timestamp(clock.now());
  return db.transaction((tx) => takeChallenge(tx, challenge, userId, now));
}

function timesOf({ clock }: PasskeyDeps) {
  const now = clock.now();
  return {
    now: timestamp(now),
    expiresAt: timestamp(later(now, CHALLENGE_MS)),
  };
}

function nameFrom(text: string): string {
  const name = [...text.trim()].slice(0, MAX_PASSKEY_NAME).join("");
  return name === "" ? NAMELESS : name;
}
