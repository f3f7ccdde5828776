import type { Db } from "../../db/db.ts";
import { OperatorError } from "../../lib/errors.ts";
import { failed, ok, warning, type Finding } from "../../lib/finding.ts";
import type { SecretKeyPlace } from "../../lib/secret-key-place.ts";
import { createKeySeal, KeyNotOpened } from "./keys/key-seal.ts";
import {
  hasClearKeys,
  hasSealedKeys,
  sealStoredKeys,
  tryKeySeal,
} from "./keys/seal-stored-keys.ts";
import { sealStoredTokens } from "./tokens/seal-stored-tokens.ts";
import { createTokenSeal } from "./keys/token-seal.ts";

const MEND =
  "Put back the right one from your backup, as the file secret.key of the data directory or in KITH_SECRET_KEY: nothing else opens the keys of the accounts, and other servers know no other keys (docs/operations.md, Secrets).";

const missing = (place: SecretKeyPlace): string =>
  `The secret key is missing: there is no ${place.name}, but private keys in the database are sealed with it.`;
const wrong = (place: SecretKeyPlace): string =>
  `The secret key in ${place.name} is not the one with which private keys in the database are sealed.`;

/**
 * Returns the secret key that fits the database, and creates one if nothing is sealed yet.
 * Seals keys stored in plaintext, and binds tokens sealed by an older Kith to their rows,
 * before the key is used.
 * @throws {OperatorError} if the key is missing or does not fit; nothing was changed then
 */
export async function openSecretKey(
  db: Db,
  place: SecretKeyPlace,
): Promise<Uint8Array> {
  // The order matters: another process creates the key before it seals.
  const isNeeded = await hasSealedKeys(db.read);
  const found = place.find();
  if (!found && isNeeded) throw new OperatorError(`${missing(place)} ${MEND}`);
  const secretKey = found ?? place.make();
  try {
    await sealStoredKeys({ db, keySeal: createKeySeal(secretKey) });
  } catch (error) {
    if (error instanceof KeyNotOpened)
      throw new OperatorError(`${wrong(place)} ${MEND}`);
    throw error;
  }
  await sealStoredTokens(db, createTokenSeal(secretKey));
  return secretKey;
}

/** Returns a warning for the operator if other users can read the key. */
export function describeOpenSecret(place: SecretKeyPlace): string | undefined {
  return place.isOpenToOthers()
    ? `${place.name} can be read by other users of this machine.`
    : undefined;
}

/** Checks that the secret key exists, fits and is private. Changes nothing. */
export async function examineSecretKey(
  db: Db,
  place: SecretKeyPlace,
): Promise<Finding> {
  const check = "secret key";
  const secretKey = place.find();
  if (!secretKey)
    return (await hasSealedKeys(db.read))
      ? failed(check, missing(place), MEND)
      : failed(
          check,
          `There is no ${place.name} yet.`,
          "Start kith serve once: it creates one.",
        );
  try {
    await tryKeySeal(db.read, createKeySeal(secretKey));
  } catch (error) {
    if (!(error instanceof KeyNotOpened)) throw error;
    return failed(check, wrong(place), MEND);
  }
  if (await hasClearKeys(db.read))
    return failed(
      check,
      "Private keys are stored in the clear.",
      "Restart kith serve: it seals them first.",
    );
  const open = describeOpenSecret(place);
  return open === undefined
    ? ok(check, `Private keys are sealed with ${place.name}.`)
    : warning(check, open, `Remove that permission: chmod 600 ${place.name}`);
}
