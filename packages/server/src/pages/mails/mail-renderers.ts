import type { Accounts } from "../../features/accounts/index.ts";
import type {
  AccountMailKind,
  MailReader,
  MailRenderers,
  MailWords,
  StaffMailKind,
} from "../../features/mail/index.ts";
import type { HeldTexts } from "../../features/held-texts/index.ts";
import type { Moderation } from "../../features/moderation/index.ts";
import { displayName } from "../../features/people/index.ts";
import type { Strikes } from "../../features/strikes/index.ts";
import type { ServerProfiles } from "../../features/server-profile/index.ts";
import { inMailLine } from "../../lib/mail/mail-text.ts";
import { withSettings } from "../languages/reader.ts";
import { mailTexts as texts, notificationTexts } from "../languages/texts.ts";
import {
  loadNotices,
  type NoticeDeps,
  type ShownNotification,
} from "../notifications/load-notices.ts";
import { sentenceOf } from "../notifications/sentence-of.ts";
import { NOTIFICATIONS, STRIKES } from "../session/places.ts";
import {
  CONFIRM_PATH,
  MAIL_SETTINGS,
  NEW_PASSWORD,
  UNSUBSCRIBE_PATH,
  withToken,
} from "./mail-paths.ts";
import { mailWords, type MailPart } from "./mail-words.ts";

export type MailRendererDeps = NoticeDeps & {
  readonly accounts: Pick<Accounts, "countPending">;
  readonly moderation: Pick<Moderation, "countOpen">;
  readonly heldTexts: Pick<HeldTexts, "count">;
  readonly strikes: { readonly appeals: Pick<Strikes["appeals"], "countOpen"> };
  readonly serverProfile: Pick<ServerProfiles, "get">;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
};

/** Writes the mails of this server. They hold no text of posts: mail servers could read it. */
export function createMailRenderers(deps: MailRendererDeps): MailRenderers {
  const { baseUrl, handleHost, serverProfile } = deps;
  const findName = async () =>
    inMailLine((await serverProfile.get()).name, 60) || handleHost;
  const footer = (reader: MailReader, token: string): MailPart[] => [
    texts.footer(`${reader.username}@${handleHost}`),
    { words: texts.stop, url: baseUrl + withToken(UNSUBSCRIBE_PATH, token) },
    { words: texts.change, url: baseUrl + MAIL_SETTINGS },
  ];
  return {
    account: (reader, { kind, token }) =>
      withSettings(reader.settings, () =>
        accountMail(deps, reader, kind, token),
      ),
    notices: async (reader, user, what) => {
      const notices = await loadNotices(deps, user, what.notifications);
      const server = await findName();
      if (notices.length === 0) return undefined;
      return withSettings(reader.settings, () => {
        const lines = notices.flatMap((it) => noticeParts(baseUrl, it));
        const [first = ""] = notices.map(saidOf);
        const end = footer(reader, what.unsubscribeToken);
        const greeting = texts.hello(reader.username);
        if (!what.isDigest) return mailWords(first, [greeting, ...lines], end);
        const more = [
          ...(what.hasMore ? [texts.digest.more] : []),
          { words: texts.digest.all, url: baseUrl + NOTIFICATIONS },
        ];
        return mailWords(
          texts.digest.subject(server),
          [greeting, texts.digest.says, ...lines, ...more],
          end,
        );
      });
    },
    staff: async (reader, { about, unsubscribeToken }) => {
      const count = await countOf(deps, about);
      const server = await findName();
      if (count === 0) return undefined;
      return withSettings(reader.settings, () => {
        const { subject, says, link } = texts.staff[about];
        return mailWords(
          subject(server),
          [
            texts.hello(reader.username),
            says(count),
            { words: link, url: baseUrl + STAFF_PAGES[about] },
          ],
          footer(reader, unsubscribeToken),
        );
      });
    },
  };
}

const STAFF_PAGES = {
  report: "/admin/reports",
  appeal: "/admin/appeals",
  held: "/admin/held",
  sign_up: "/admin/registrations",
  backup: "/admin",
} as const satisfies Record<StaffMailKind, string>;

/** Counts the things that wait at the time of sending: some may be decided by then. */
async function countOf(
  { accounts, heldTexts, moderation, strikes }: MailRendererDeps,
  about: StaffMailKind,
): Promise<number> {
  switch (about) {
    case "appeal":
      return strikes.appeals.countOpen();
    case "backup":
      return 1;
    case "held":
      return heldTexts.count();
    case "report":
      return moderation.countOpen();
    case "sign_up":
      return accounts.countPending();
  }
}

function accountMail(
  { baseUrl, handleHost }: MailRendererDeps,
  { username }: MailReader,
  kind: AccountMailKind,
  token: string,
): MailWords {
  const { subject, says, link, ignore } = texts.account[kind];
  return mailWords(subject, [
    texts.hello(username),
    says(`${username}@${handleHost}`),
    { words: link, url: baseUrl + pathOf(kind, token) },
    ignore,
  ]);
}

function pathOf(kind: AccountMailKind, token: string): string {
  switch (kind) {
    case "confirm":
      return withToken(CONFIRM_PATH, token);
    case "reset":
      return withToken(NEW_PASSWORD, token);
    case "address_changed":
      return "/settings/security";
    case "password_changed":
      return "/users/sign_in";
    case "strike":
    case "appeal_accepted":
    case "appeal_rejected":
      return STRIKES;
  }
}

function noticeParts(baseUrl: string, notice: ShownNotification): MailPart[] {
  const url = baseUrl + (notice.path ?? NOTIFICATIONS);
  return [saidOf(notice), { words: texts.show, url }];
}

const NAMED = 2;

/** Such as `Ann, Ben and 3 other people like your post`. */
function saidOf({ people, kind }: ShownNotification): string {
  const words = notificationTexts;
  const names = people
    .slice(0, NAMED)
    .map((person) => inMailLine(displayName(person), 60));
  const left = people.length - names.length;
  const all = left > 0 ? [...names, words.others(left)] : names;
  const last = all.at(-1) ?? "";
  const first = all.slice(0, -1).join(", ");
  const who = first === "" ? last : `${first} ${words.and} ${last}`;
  return sentenceOf(kind, who, people.length);
}
