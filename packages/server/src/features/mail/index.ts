import type { NotificationReason } from "../../db/schema/columns/notification.ts";
import type { Tx } from "../../db/db.ts";
import type { MailServer } from "../../lib/mail/mail-server.ts";
import { mailAddressKey } from "../../lib/mail/mail-address.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { hashSecret, type Role, type SignedIn } from "../accounts/index.ts";
import type { NotificationId, UserId } from "../ids.ts";
import { notifyAccount } from "./account-mails.ts";
import {
  askToConfirm,
  confirmAddress,
  removeAddress,
  takeFrom,
  wantAddress,
  type MailProof,
} from "./change-address.ts";
import {
  changeMailChoices,
  findSubscribed,
  unsubscribe,
} from "./change-choices.ts";
import type { MailDeps } from "./mail-deps.ts";
import type { AccountMailKind } from "./mail-job.ts";
import { DAY_MS, type MailChoices } from "./mail-settings.ts";
import {
  deleteMailAddress,
  findMailSettings,
  findWantedAddress,
  listAddressesOf,
} from "./mail-store.ts";
import { createDigests, enqueueNotice } from "./notice-mails.ts";
import {
  askForReset,
  createResetMail,
  findResetName,
  resetPassword,
} from "./reset-password.ts";
import { deleteResetsOf } from "./reset-store.ts";
import {
  createSendMail,
  type MailRenderers,
  type SendMailDeps,
} from "./send-mail.ts";

export { checkMailAddress } from "./change-address.ts";
export { staffKindsOf } from "./change-choices.ts";
export {
  MAIL,
  MAIL_DIGESTS,
  RESET_MAIL,
  type AccountMailKind,
} from "./mail-job.ts";
export {
  MAIL_FREQUENCIES,
  STAFF_MAIL_KINDS,
  type MailChoices,
  type MailFrequency,
  type MailSettings,
  type StaffMailKind,
} from "./mail-settings.ts";
export { hideMailTokens } from "./mail-tokens.ts";
export type { MailReader, MailRenderers, MailWords } from "./send-mail.ts";
export { createStaffMail, type StaffMail } from "./staff-mail.ts";

const HOUR_MS = 3_600_000;

/** E-mail: the addresses of accounts, and what is sent there. */
export type Mails = ReturnType<typeof createMails>;

export function createMails(given: MailDeps) {
  const { db, clock, limits } = given;
  const limit = (by: string, max: number, windowMs = HOUR_MS) =>
    limits.create("mail", by, { max, windowMs });
  const resetLimit = (by: string, max: number) =>
    limits.create("password_reset", by, { max, windowMs: HOUR_MS });
  const deps = {
    ...given,
    perAddress: limit("mail_address", 5, DAY_MS),
    perAccount: limit("account", 10, DAY_MS),
    noticesPerAccount: limit("receiver", 60),
    resetsPerNetwork: resetLimit("address", 10),
    resetsPerAddress: resetLimit("mail_address", 3),
    resetsPerAccount: resetLimit("account", 3),
  };
  return {
    /** Is there a mail server? */
    isEnabled: given.isEnabled,
    /** For the user and admins alone. */
    get: (userId: UserId) =>
      findMailSettings(db.read, userId, timestamp(clock.now())),
    /** The confirmed addresses of accounts, for admins alone. */
    listAddresses: (userIds: readonly UserId[]) =>
      listAddressesOf(db.read, userIds),
    want: (user: SignedIn, proof: MailProof, address: string) =>
      wantAddress(deps, user, proof, address),
    /** Counts a mail to an address that a sign-up names. @throws {KithError} `too_many_requests` */
    admit: (address: string) =>
      takeFrom(deps.perAddress, mailAddressKey(address)),
    /** Sends a link to an address that was checked, in the transaction of a sign-up. */
    askToConfirm: (tx: Tx, userId: UserId, address: string) =>
      askToConfirm(deps, tx, userId, address),
    /** The address that a link confirms; undefined for one that has ended. */
    findWanted: (token: string) =>
      findWantedAddress(db.read, hashSecret(token), timestamp(clock.now())),
    confirm: (token: string) => confirmAddress(deps, token),
    remove: (user: SignedIn, proof: MailProof) =>
      removeAddress(deps, user, proof),
    change: (
      user: { readonly userId: UserId; readonly role: Role },
      changes: Partial<MailChoices>,
    ) => changeMailChoices(deps, user, changes),
    findSubscribed: (token: string) => findSubscribed(deps, token),
    unsubscribe: (token: string) => unsubscribe(deps, token),
    askForReset: (address: string, from: string) =>
      askForReset(deps, address, from),
    findResetName: (token: string) => findResetName(deps, token),
    resetPassword: (token: string, wanted: string) =>
      resetPassword(deps, token, wanted),
    /** Enqueues the mail of a new notification, if its user wants one at once. */
    enqueueNotice: (
      tx: Tx,
      userId: UserId,
      notice: {
        readonly id: NotificationId;
        readonly reason: NotificationReason;
      },
    ) => enqueueNotice(deps, tx, userId, notice),
    /** Enqueues a mail about the account itself, if it has an address. */
    notifyAccount: (tx: Tx, userId: UserId, kind: AccountMailKind) =>
      notifyAccount(deps, tx, userId, kind),
    /** Forgets everything of a deleted account. */
    removeOf: (userId: UserId) =>
      db.transaction(async (tx) => {
        await deleteMailAddress(tx, userId);
        await deleteResetsOf(tx, userId);
        return false;
      }),
    /** Handle the jobs of mails. */
    createSend: (
      more: Omit<SendMailDeps, keyof MailDeps>,
      server: MailServer | undefined,
      render: MailRenderers,
    ) => createSendMail({ ...deps, ...more }, server, render),
    createResetMail: () => createResetMail(deps),
    createDigests: () => createDigests(deps),
  };
}
