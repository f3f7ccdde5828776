import type { Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import type { MailDeps } from "./mail-deps.ts";
import {
  ACCOUNT_MAILS,
  MAIL,
  MAIL_HOST,
  type AccountMail,
} from "./mail-job.ts";
import { findMailSettings } from "./mail-store.ts";

/** Enqueues a mail about an account, sealed. */
export async function enqueueAccountMail(
  { jobs, seal }: Pick<MailDeps, "jobs" | "seal">,
  tx: Tx,
  userId: UserId,
  { kind, to, token }: AccountMail,
): Promise<void> {
  const lines = Buffer.from([kind, to, token].join("\n"));
  const sealed = seal.seal(lines, nameOf(userId));
  await jobs.enqueue(
    tx,
    MAIL,
    { type: "account", userId, sealed },
    { host: MAIL_HOST },
  );
}

/** The same to the confirmed address, if there is one: mails about the account are no choice. */
export async function notifyAccount(
  deps: Pick<MailDeps, "isEnabled" | "jobs" | "seal" | "clock">,
  tx: Tx,
  userId: UserId,
  kind: AccountMail["kind"],
): Promise<void> {
  if (!deps.isEnabled) return;
  const now = timestamp(deps.clock.now());
  const { address: to, bouncedAt } = await findMailSettings(tx, userId, now);
  if (to === null || bouncedAt !== null) return;
  await enqueueAccountMail(deps, tx, userId, { kind, to, token: "" });
}

export function openAccountMail(
  { seal }: Pick<MailDeps, "seal">,
  userId: UserId,
  sealed: string,
): AccountMail | undefined {
  const opened = seal.open(sealed, nameOf(userId)).toString();
  const [word, to = "", token = ""] = opened.split("\n");
  const kind = ACCOUNT_MAILS.find((it) => it === word);
  return kind && { kind, to, token };
}

const nameOf = (userId: UserId): string => `mail of user ${userId}`;
