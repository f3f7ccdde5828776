import type { Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { Limit } from "../../lib/limits/limits.ts";
import {
  mailAddressKey,
  readMailAddress,
} from "../../lib/mail/mail-address.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import { hashSecret, type SignedIn } from "../accounts/index.ts";
import type { UserId } from "../ids.ts";
import { enqueueAccountMail } from "./account-mails.ts";
import type { MailDeps } from "./mail-deps.ts";
import { CONFIRM_WITHIN_MS } from "./mail-settings.ts";
import {
  deleteMailAddress,
  findMailSettings,
  findWantedAddress,
  saveWantedAddress,
  updateConfirmed,
} from "./mail-store.ts";
import { newMailToken } from "./mail-tokens.ts";
import { deleteResetsOf } from "./reset-store.ts";

export type AddressDeps = MailDeps & {
  /** Mails to one address, so that nobody fills the box of somebody else. */
  readonly perAddress: Limit;
  readonly perAccount: Limit;
};

/** The password, and the source network. */
export type MailProof = { readonly password: string; readonly from?: string };

/** @throws {KithError} `invalid` for a text that is no address */
export function checkMailAddress(typed: string): string {
  const address = readMailAddress(typed);
  if (address === undefined)
    throw new KithError(
      "invalid",
      "The address must be an e-mail address such as ann@example.org.",
    );
  return address;
}

/**
 * Wants another address, which counts once a link sent there is opened.
 * @throws {KithError} `invalid` for what is no address, `conflict` for a banned one, `unauthorized` for a wrong password,
 *   `too_many_requests`
 */
export async function wantAddress(
  deps: AddressDeps,
  user: SignedIn,
  proof: MailProof,
  typed: string,
): Promise<void> {
  const address = checkMailAddress(typed);
  if (await deps.bans.isMailRefused(address))
    throw new KithError("conflict", "This address cannot be used here.");
  await deps.accounts.changeWithPassword(user, proof, async (tx) => {
    takeFrom(deps.perAccount, String(user.userId));
    takeFrom(deps.perAddress, mailAddressKey(address));
    await askToConfirm(deps, tx, user.userId, address);
  });
}

/** @throws {KithError} `too_many_requests` */
export function takeFrom(limit: Limit, key: string): void {
  if (!limit.take(key)) throw limit.refuse(key);
}

/** Sends a link to an address that was checked; the former link ends. */
export async function askToConfirm(
  deps: MailDeps,
  tx: Tx,
  userId: UserId,
  address: string,
): Promise<void> {
  const now = deps.clock.now();
  const token = newMailToken();
  const until = timestamp(later(now, CONFIRM_WITHIN_MS));
  const wanted = { address, hash: hashSecret(token), until };
  await saveWantedAddress(tx, userId, wanted, timestamp(now));
  const mail = { kind: "confirm", to: address, token } as const;
  await enqueueAccountMail(deps, tx, userId, mail);
}

/**
 * Confirms an address by the token that was sent there, and tells the former one.
 * @throws {KithError} `not_found` for a token that was used, has ended, or never was, and for
 *   an address that was banned meanwhile
 */
export async function confirmAddress(
  deps: MailDeps,
  token: string,
): Promise<void> {
  const absent = () => new KithError("not_found", "Nothing is to confirm.");
  const hash = hashSecret(token);
  const find = (tx: Tx) =>
    findWantedAddress(tx, hash, timestamp(deps.clock.now()));
  const named = await findWantedAddress(
    deps.db.read,
    hash,
    timestamp(deps.clock.now()),
  );
  if (named && (await deps.bans.isMailRefused(named.address))) throw absent();
  await deps.db.transaction(async (tx) => {
    const seen = await find(tx);
    if (!seen) throw absent();
    await deps.accounts.lock(tx, seen.userId);
    // Another request may have used the token before the lock was acquired.
    const wanted = await find(tx);
    if (!wanted) throw absent();
    const { userId, address, before } = wanted;
    await updateConfirmed(tx, userId, address, timestamp(deps.clock.now()));
    // They were sent to the former address.
    await deleteResetsOf(tx, userId);
    if (before !== null && mailAddressKey(before) !== mailAddressKey(address))
      await notifyFormer(deps, tx, userId, before);
  });
}

/** Forgets the address and everything chosen about it. @throws as `wantAddress` */
export async function removeAddress(
  deps: MailDeps,
  user: SignedIn,
  proof: MailProof,
): Promise<void> {
  const { userId } = user;
  await deps.accounts.changeWithPassword(user, proof, async (tx) => {
    const now = timestamp(deps.clock.now());
    const { address, bouncedAt } = await findMailSettings(tx, userId, now);
    await deleteMailAddress(tx, userId);
    await deleteResetsOf(tx, userId);
    if (address !== null && bouncedAt === null)
      await notifyFormer(deps, tx, userId, address);
  });
}

/** The owner learns of it, even if somebody else took the account over. */
function notifyFormer(
  deps: MailDeps,
  tx: Tx,
  userId: UserId,
  to: string,
): Promise<void> {
  const mail = { kind: "address_changed", to, token: "" } as const;
  return enqueueAccountMail(deps, tx, userId, mail);
}
