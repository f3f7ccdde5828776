import {
  DONE,
  type JobContext,
  type JobHandler,
  type JobResult,
} from "../../jobs/job.ts";
import { backOffMs } from "../../jobs/back-off.ts";
import type { MailOutcome, MailServer } from "../../lib/mail/mail-server.ts";
import { timestamp } from "../../lib/time/clock.ts";
import {
  hashSecret,
  isAtLeast,
  type Role,
  type Settings,
} from "../accounts/index.ts";
import type { NotificationId, UserId } from "../ids.ts";
import {
  kindOf,
  reasonsOfKinds,
  type Notification,
  type NotificationOwner,
  type Notifications,
} from "../notifications/index.ts";
import type { People } from "../people/index.ts";
import { openAccountMail } from "./account-mails.ts";
import type { MailDeps } from "./mail-deps.ts";
import type { AccountMailKind, MAIL } from "./mail-job.ts";
import {
  DAY_MS,
  STAFF_OF,
  type MailSettings,
  type StaffMailKind,
} from "./mail-settings.ts";
import {
  findMailSettings,
  findWantedAddress,
  updateBounced,
} from "./mail-store.ts";
import {
  createUnsubscribeTokens,
  type UnsubscribeScope,
} from "./mail-tokens.ts";
import { findReset } from "./reset-store.ts";

/** The receiver of a mail, and the language to write in. */
export type MailReader = {
  readonly username: string;
  readonly settings: Pick<Settings, "locale" | "timeZone">;
};

/** The words of a mail, without addresses and other headers. */
export type MailWords = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** Writes mails in the language of their reader. */
export type MailRenderers = {
  readonly account: (
    reader: MailReader,
    what: { readonly kind: AccountMailKind; readonly token: string },
  ) => MailWords;
  /** @returns undefined if there is nothing to tell */
  readonly notices: (
    reader: MailReader,
    user: NotificationOwner,
    what: {
      readonly notifications: readonly Notification[];
      readonly isDigest: boolean;
      /** Are there more? */
      readonly hasMore: boolean;
      readonly unsubscribeToken: string;
    },
  ) => Promise<MailWords | undefined>;
  readonly staff: (
    reader: MailReader,
    what: {
      readonly about: StaffMailKind;
      readonly unsubscribeToken: string;
    },
  ) => Promise<MailWords | undefined>;
};

export type SendMailDeps = MailDeps & {
  readonly people: Pick<People, "find">;
  readonly notifications: Pick<Notifications, "find" | "isListed" | "listSome">;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
  /** Where one click ends mails. */
  readonly unsubscribeUrlOf: (token: string) => string;
};

type Payload = NonNullable<(typeof MAIL)["payload"]>;
type Written = {
  readonly to: string;
  readonly words: MailWords;
  readonly unsubscribeToken?: string;
};

/** Older mails say nothing new; the operator finds them in the queue. */
const MAX_AGE_MS = 2 * DAY_MS;
const MAX_IN_DIGEST = 30;
const NO_SERVER_MS = 3_600_000;

/** Handles the job of one mail. @param server undefined without a mail server */
export function createSendMail(
  deps: SendMailDeps,
  server: MailServer | undefined,
  render: MailRenderers,
): JobHandler<Payload> {
  return async (payload, context) => {
    const { job } = context;
    const now = deps.clock.now();
    const written = await write(deps, render, payload);
    if (!written) return DONE;
    const isOld = now.getTime() - Date.parse(job.createdAt) > MAX_AGE_MS;
    if (isOld)
      return { kind: "give_up", reason: "The mail server took it too long" };
    if (!server)
      return {
        kind: "retry",
        afterMs: NO_SERVER_MS,
        reason: "KITH_SMTP_URL is not set",
      };
    const { to, words, unsubscribeToken } = written;
    const outcome = await sendOrStop(server, context, {
      ...{ to, ...words, sentAt: now },
      messageId: messageIdOf(deps, context),
      ...(unsubscribeToken !== undefined && {
        unsubscribeUrl: deps.unsubscribeUrlOf(unsubscribeToken),
      }),
    });
    return settle(deps, payload.userId, to, outcome, context);
  };
}

/** The same for each attempt: a receiver that has the mail drops it (RFC 5322, section 3.6.4). */
function messageIdOf(
  { handleHost }: SendMailDeps,
  { job: { id, createdAt } }: JobContext,
): string {
  const [host = ""] = handleHost.split(":", 1);
  return `kith.${id}.${Date.parse(createdAt)}@${host}`;
}

async function sendOrStop(
  server: MailServer,
  { signal }: JobContext,
  mail: Parameters<MailServer["send"]>[0],
): Promise<MailOutcome | "stopped"> {
  if (signal.aborted) return "stopped";
  let stop = () => {};
  const stopped = new Promise<"stopped">((resolve) => {
    stop = () => resolve("stopped");
    signal.addEventListener("abort", stop);
  });
  return Promise.race([server.send(mail), stopped]).finally(() =>
    signal.removeEventListener("abort", stop),
  );
}

async function settle(
  { db, clock }: MailDeps,
  userId: UserId,
  to: string,
  outcome: MailOutcome | "stopped",
  { job }: JobContext,
): Promise<JobResult> {
  if (outcome === "stopped")
    return { kind: "retry", afterMs: 0, reason: "Interrupted" };
  switch (outcome.kind) {
    case "sent":
      return DONE;
    case "bounced":
      await db.transaction((tx) =>
        updateBounced(tx, userId, to, timestamp(clock.now())),
      );
      return DONE;
    case "refused":
      return { kind: "give_up", reason: outcome.reason };
    case "deferred": {
      const afterMs = backOffMs(job.attempts + 4);
      return {
        kind: "retry",
        afterMs,
        reason: outcome.reason,
        // While nobody answers, one mail asks for all.
        ...(!outcome.isOfMail && { hostAfterMs: afterMs }),
      };
    }
  }
}

/** Reads everything anew: what may not be shown any more is not sent. */
async function write(
  deps: SendMailDeps,
  render: MailRenderers,
  payload: Payload,
): Promise<Written | undefined> {
  const { userId } = payload;
  const account = await deps.accounts.findById(userId);
  if (!account || account.state === "closed") return undefined;
  const reader: MailReader = { username: account.username, settings: account };
  if (payload.type === "account")
    return writeAccountMail(deps, render, reader, payload);
  if (account.state !== "active") return undefined;
  const now = timestamp(deps.clock.now());
  const settings = await findMailSettings(deps.db.read, userId, now);
  const { address } = settings;
  if (address === null || settings.bouncedAt !== null) return undefined;
  const tokenOf = (scope: UnsubscribeScope) =>
    createUnsubscribeTokens(deps.secretKey).make(scope, userId, address);
  if (payload.type === "staff") {
    const { about } = payload;
    if (!isForStaff(about, account.role, settings)) return undefined;
    const unsubscribeToken = tokenOf("staff");
    const words = await render.staff(reader, { about, unsubscribeToken });
    return words && { to: address, words, unsubscribeToken };
  }
  const self = await deps.people.find({ userId });
  if (self?.state !== "active") return undefined;
  const user = { userId, personId: self.id };
  const found = await listNotices(deps, user, settings, payload);
  if (found.length === 0) return undefined;
  const unsubscribeToken = tokenOf("notices");
  const words = await render.notices(reader, user, {
    notifications: found.slice(0, MAX_IN_DIGEST),
    isDigest: payload.type === "digest",
    hasMore: found.length > MAX_IN_DIGEST,
    unsubscribeToken,
  });
  return words && { to: address, words, unsubscribeToken };
}

const isForStaff = (
  about: StaffMailKind,
  role: Role,
  { staffKinds }: MailSettings,
): boolean => staffKinds.includes(about) && isAtLeast(role, STAFF_OF[about]);

async function listNotices(
  { notifications }: SendMailDeps,
  user: NotificationOwner,
  { frequency, kinds }: MailSettings,
  payload: Extract<Payload, { type: "notice" | "digest" }>,
): Promise<Notification[]> {
  if (frequency === "never") return [];
  if (payload.type === "notice")
    return listNotice(notifications, user, kinds, payload.notificationId);
  const { afterId, upToId } = payload;
  return notifications.listSome(
    user,
    { reasons: reasonsOfKinds(kinds), onlyUnread: true, withDislikes: true },
    {
      ...{ offset: 0, limit: MAX_IN_DIGEST + 1 },
      ...{ before: upToId + 1, after: afterId },
    },
  );
}

async function listNotice(
  notifications: SendMailDeps["notifications"],
  user: NotificationOwner,
  kinds: MailSettings["kinds"],
  id: NotificationId,
): Promise<Notification[]> {
  const found = await notifications.find(user, id);
  const kind = found && kindOf(found.reason);
  const isWanted = found?.unread && kind && kinds.includes(kind);
  return isWanted && (await notifications.isListed(user, id)) ? [found] : [];
}

/** A link that has ended is not sent. */
async function writeAccountMail(
  deps: SendMailDeps,
  render: MailRenderers,
  reader: MailReader,
  { userId, sealed }: Extract<Payload, { type: "account" }>,
): Promise<Written | undefined> {
  const mail = openAccountMail(deps, userId, sealed);
  if (!mail) return undefined;
  const { kind, to, token } = mail;
  const now = timestamp(deps.clock.now());
  const hash = hashSecret(token);
  const { read } = deps.db;
  if (kind === "confirm" && !(await findWantedAddress(read, hash, now)))
    return undefined;
  if (kind === "reset" && !(await findReset(read, hash, now))) return undefined;
  return { to, words: render.account(reader, { kind, token }) };
}
