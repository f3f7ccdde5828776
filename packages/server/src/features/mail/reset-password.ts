import type { Reader } from "../../db/db.ts";
import { DONE, type JobHandler } from "../../jobs/job.ts";
import type { Limit } from "../../lib/limits/limits.ts";
import { mailAddressKey } from "../../lib/mail/mail-address.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import { hashSecret } from "../accounts/index.ts";
import { enqueueAccountMail } from "./account-mails.ts";
import { checkMailAddress } from "./change-address.ts";
import type { MailDeps } from "./mail-deps.ts";
import { RESET_MAIL } from "./mail-job.ts";
import { RESET_WITHIN_MS } from "./mail-settings.ts";
import { newMailToken } from "./mail-tokens.ts";
import {
  deleteExpiredResets,
  deleteResetsOf,
  findReset,
  insertReset,
  listAccountsAt,
} from "./reset-store.ts";

export type ResetDeps = MailDeps & {
  readonly resetsPerNetwork: Limit;
  readonly resetsPerAddress: Limit;
  readonly resetsPerAccount: Limit;
};

/** One address can be that of several accounts: each gets its own mail. */
const MAX_ACCOUNTS = 5;
const SEALED_AS = "address of a reset";

/**
 * Asks for links to new passwords. Whether the address is known is found out by a job: the
 * answer and its time say nothing of it.
 * @param from the source network
 * @throws {KithError} `invalid` for what is no address, `too_many_requests`
 */
export async function askForReset(
  deps: ResetDeps,
  typed: string,
  from: string,
): Promise<void> {
  const key = mailAddressKey(checkMailAddress(typed));
  const { resetsPerNetwork, resetsPerAddress } = deps;
  if (!resetsPerNetwork.take(from)) throw resetsPerNetwork.refuse(from);
  if (!resetsPerAddress.take(key)) throw resetsPerAddress.refuse(key);
  const sealed = deps.seal.seal(Buffer.from(key), SEALED_AS);
  await deps.db.transaction((tx) =>
    deps.jobs.enqueue(tx, RESET_MAIL, { sealed }),
  );
}

/** Handles the job that looks the accounts up. */
export function createResetMail(
  deps: ResetDeps,
): JobHandler<NonNullable<(typeof RESET_MAIL)["payload"]>> {
  return async ({ sealed }) => {
    const addressKey = deps.seal.open(sealed, SEALED_AS).toString();
    const now = deps.clock.now();
    const found = await listAccountsAt(deps.db.read, addressKey, MAX_ACCOUNTS);
    const accounts = found.filter(({ userId }) =>
      deps.resetsPerAccount.take(String(userId)),
    );
    if (accounts.length === 0) return DONE;
    await deps.db.transaction(async (tx) => {
      await deleteExpiredResets(tx, timestamp(now));
      for (const { userId, address } of accounts) {
        const token = newMailToken();
        const expiresAt = timestamp(later(now, RESET_WITHIN_MS));
        const hash = hashSecret(token);
        await insertReset(tx, { hash, userId, addressKey, expiresAt });
        const mail = { kind: "reset", to: address, token } as const;
        await enqueueAccountMail(deps, tx, userId, mail);
      }
    });
    return DONE;
  };
}

/** The name of the account to which a link leads; undefined for one that has ended. */
export async function findResetName(
  deps: MailDeps,
  token: string,
): Promise<string | undefined> {
  return (await findByToken(deps, deps.db.read, token))?.username;
}

const findByToken = ({ clock }: MailDeps, reader: Reader, token: string) =>
  findReset(reader, hashSecret(token), timestamp(clock.now()));

/**
 * Sets a new password by a token, and tells the address of it.
 * @throws {KithError} `not_found` for a token that was used, has ended, or never was;
 *   `bad_request` for a password that is too short or too long
 */
export async function resetPassword(
  deps: MailDeps,
  token: string,
  wanted: string,
): Promise<void> {
  await deps.accounts.replacePassword(wanted, {
    find: async (reader) => (await findByToken(deps, reader, token))?.userId,
    use: async (tx, userId) => {
      const found = await findByToken(deps, tx, token);
      await deleteResetsOf(tx, userId);
      if (!found) return;
      const mail = {
        kind: "password_changed",
        ...{ to: found.address, token: "" },
      } as const;
      await enqueueAccountMail(deps, tx, userId, mail);
    },
  });
}
