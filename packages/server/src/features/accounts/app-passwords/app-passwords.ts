import { randomBytes } from "node:crypto";
import type { Tx } from "../../../db/db.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import { storableText } from "../../../lib/well-formed.ts";
import type { AppPasswordId, UserId } from "../../ids.ts";
import type { SignedIn } from "../account.ts";
import {
  changeWithPassword,
  type PasswordProof,
} from "../sign-in/own-password.ts";
import type { SignInDeps } from "../sign-in/sign-in.ts";
import { toBase32 } from "../two-factor/totp.ts";
import {
  deleteAppPassword,
  insertAppPassword,
  listAppPasswords,
  type AppPassword,
} from "../stores/app-password-store.ts";

/** More than a person has programs and devices. */
export const MAX_APP_PASSWORDS = 50;
export const MAX_APP_PASSWORD_NAME = 50;
const SECRET_BYTES = 15;

/** A new app password. Its secret is shown this once. */
export type NewAppPassword = AppPassword & {
  /** 24 letters and digits in groups of four: 120 bits. */
  readonly secret: string;
};

/**
 * Makes a password for one program, after checking that of the account. It opens calendars
 * alone, without the second factor.
 * @throws {KithError} `unauthorized`, `too_many_requests`, `empty_string` or `bad_request`
 *   for the name, `conflict` if there are too many
 */
export async function addAppPassword(
  deps: SignInDeps,
  user: SignedIn,
  proof: PasswordProof,
  name: string,
): Promise<NewAppPassword> {
  const checked = checkName(name);
  const secret = toBase32(randomBytes(SECRET_BYTES)).toLowerCase();
  const added = await changeWithPassword(deps, user, proof, async (tx) => {
    await refuseMany(tx, user.userId);
    const now = timestamp(deps.clock.now());
    return insertAppPassword(tx, user.userId, { name: checked, secret }, now);
  });
  return { ...added, secret: (secret.match(/.{4}/g) ?? []).join("-") };
}

/** The form in which the secret was hashed: people type it with or without the signs between. */
export function bareSecret(typed: string): string {
  return typed.replaceAll(/[\s-]/g, "").toLowerCase();
}

/** @throws {KithError} `not_found`, also for another user's app password */
export async function removeAppPassword(
  tx: Tx,
  userId: UserId,
  id: AppPasswordId,
): Promise<void> {
  if (!(await deleteAppPassword(tx, userId, id)))
    throw new KithError("not_found", "No such app password.");
}

/** The account is locked by the caller, so that the count holds. */
async function refuseMany(tx: Tx, userId: UserId): Promise<void> {
  const known = await listAppPasswords(tx, userId, MAX_APP_PASSWORDS);
  if (known.length >= MAX_APP_PASSWORDS)
    throw new KithError(
      "conflict",
      "The account has as many app passwords as it can have.",
    );
}

function checkName(typed: string): string {
  const name = storableText(typed)
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
  if (name === "")
    throw new KithError("empty_string", "The name must not be blank.");
  if ([...name].length > MAX_APP_PASSWORD_NAME)
    throw new KithError(
      "bad_request",
      `The name must have at most ${MAX_APP_PASSWORD_NAME} characters.`,
    );
  return name;
}
