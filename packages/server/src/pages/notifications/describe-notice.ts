import type { Accounts } from "../../features/accounts/index.ts";
import type {
  Notification,
  NotificationOwner,
  Notifications,
} from "../../features/notifications/index.ts";
import { displayName } from "../../features/people/index.ts";
import type { RenderPush } from "../../features/push/index.ts";
import { DEFAULT_AVATAR_PATH } from "../../lib/images/default-avatar.ts";
import { pictureAddress } from "../kit/person-view.ts";
import { withSettings } from "../languages/reader.ts";
import { loadNotices, type NoticeDeps } from "./load-notices.ts";
import { sentenceOf } from "./sentence-of.ts";
import { NOTIFICATIONS } from "../session/places.ts";

/** A notification in the words of its user's language. */
export type DescribedNotice = {
  readonly title: string;
  /** The beginning of the text that it is about; may be empty. */
  readonly body: string;
  /** An absolute URL. */
  readonly icon: string;
  readonly url: string;
  /** BCP 47. */
  readonly locale: string;
};

export type DescribeNoticeDeps = NoticeDeps & {
  readonly accounts: Pick<Accounts, "getSettings">;
  readonly notifications: Pick<Notifications, "listMatches">;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Pictures of other servers are shown from here. */
  readonly proxyUrlOf: (url: string) => string;
};

/** Describes a notification that the user may see, for a device of that user. */
export async function describeNotice(
  deps: DescribeNoticeDeps,
  user: NotificationOwner,
  notification: Notification,
): Promise<DescribedNotice | undefined> {
  const { accounts, baseUrl, notifications } = deps;
  const [settings, matches, [notice]] = await Promise.all([
    accounts.getSettings(user.userId),
    notifications.listMatches(user, [notification]),
    loadNotices(deps, user, [notification]),
  ]);
  const [person] = notice?.people ?? [];
  if (!notice || !person) return undefined;
  const { imageUrlMedium, imageUrl } = person.profile;
  const picture = pictureAddress([imageUrlMedium, imageUrl]);
  return withSettings(settings, () => ({
    title: sentenceOf(notice.kind, displayName(person), 1),
    // A filter of the user warns of the text.
    body: matches.size === 0 ? notice.words : "",
    icon: iconOf(deps, picture ?? DEFAULT_AVATAR_PATH),
    url: baseUrl + (notice.path ?? NOTIFICATIONS),
    locale: settings.locale,
  }));
}

/** An address of this server is left as it is. */
const iconOf = (
  { baseUrl, proxyUrlOf }: DescribeNoticeDeps,
  address: string,
): string =>
  new URL(address.startsWith("/") ? address : proxyUrlOf(address), baseUrl)
    .href;

/** Writes pushes for browsers, where assets/push-worker.js reads them. */
export function createBrowserPush(deps: DescribeNoticeDeps): RenderPush {
  return async (user, notification) => {
    const described = await describeNotice(deps, user, notification);
    if (!described) return undefined;
    const { locale: lang, ...shown } = described;
    return JSON.stringify({ ...shown, lang, tag: String(notification.id) });
  };
}
