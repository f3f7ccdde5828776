import type {
  Notification,
  NotificationReason,
} from "../../features/notifications/index.ts";
import type { Strike } from "../../features/strikes/index.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";

/** The types that are shown, and the reasons for each. */
const REASONS = {
  mention: ["comment", "mention", "message"],
  status: ["post"],
  favourite: ["like"],
  reblog: ["reshare"],
  follow: ["contact"],
  follow_request: ["follow_request"],
  moderation_warning: ["moderation"],
  poll: ["poll_ended"],
  update: ["post_changed"],
  quote: ["quote"],
  quoted_update: ["quoted_changed"],
} as const satisfies Record<string, readonly NotificationReason[]>;

export type NoticeType = keyof typeof REASONS;

const TYPES = Object.keys(REASONS) as NoticeType[];

/** @returns undefined for reasons of which clients know nothing */
export const typeOf = (reason: NotificationReason): NoticeType | undefined =>
  TYPES.find((type) => REASONS[type].some((it) => it === reason));

/** The reasons of some types, or of all without the excluded ones. */
export function reasonsOf(
  wanted: readonly string[],
  excluded: readonly string[],
): NotificationReason[] {
  return TYPES.filter(
    (type) =>
      (wanted.length === 0 || wanted.includes(type)) &&
      !excluded.includes(type),
  ).flatMap((type): readonly NotificationReason[] => REASONS[type]);
}

/** A notification as clients see it, with what it is about. */
export type LoadedNotice = {
  readonly notification: Notification;
  readonly type: NoticeType;
  /** The key of its group for clients. */
  readonly groupKey: string;
  readonly account: Entity;
  /** null where it is about a person alone. */
  readonly status: Entity | null;
  /** The decision that a warning of the moderators is about. */
  readonly strike: Strike | undefined;
};

/** The types of the reasons that the feature groups, for the keys. */
const WORDS = new Map<string, NotificationReason>([
  ["favourite", "like"],
  ["reblog", "reshare"],
  ["follow", "contact"],
]);

/** The reasons that are grouped: of some types, or of all. */
export const groupedReasons = (
  types: readonly string[] = [...WORDS.keys()],
): NotificationReason[] => types.flatMap((type) => WORDS.get(type) ?? []);

/** `ungrouped-9` for a group of the key `single-9`, `favourite-7-20000` for `like-7-20000`. */
export function toGroupKey(key: string): string {
  const [word = "", ...rest] = key.split("-");
  const type = word === "single" ? "ungrouped" : typeOfWord(word);
  return [type, ...rest].join("-");
}

/** The reverse; a key that is none finds nothing. */
export function fromGroupKey(key: string): string {
  const [type = "", ...rest] = key.split("-");
  const word = type === "ungrouped" ? "single" : (WORDS.get(type) ?? "none");
  return [word, ...rest].join("-");
}

const typeOfWord = (word: string): string =>
  [...WORDS].find(([, reason]) => reason === word)?.[0] ?? word;

export const presentNotice = (notice: LoadedNotice): Entity => {
  const { notification, type, account, status } = notice;
  return {
    id: toWireId(notification.id),
    type,
    created_at: toWireTime(notification.createdAt),
    group_key: notice.groupKey,
    account,
    ...(status && { status }),
    ...warningOf(notice),
  };
};

/** Names neither the moderator nor the reporter. */
function warningOf({ strike, account }: LoadedNotice): Entity {
  if (!strike) return {};
  const { appeal, excerpt } = strike;
  return {
    moderation_warning: {
      id: toWireId(strike.id),
      action: WARNING_ACTIONS[strike.action],
      text: [strike.message, excerpt].filter(Boolean).join("\n\n"),
      // The statuses are deleted.
      status_ids: null,
      target_account: account,
      appeal: appeal && {
        text: appeal.text,
        state: appealState(appeal.accepted),
      },
      created_at: toWireTime(strike.createdAt),
    },
  };
}

const WARNING_ACTIONS = {
  warn: "none",
  silence: "silence",
  suspend: "suspend",
  remove_post: "delete_statuses",
  remove_comment: "delete_statuses",
} as const satisfies Record<Strike["action"], string>;

function appealState(accepted: boolean | null): string {
  if (accepted === null) return "pending";
  return accepted ? "approved" : "rejected";
}

/** A group of a page: its notices, newest first. */
export function presentNoticeGroup(
  key: string,
  notices: readonly [LoadedNotice, ...LoadedNotice[]],
): Entity {
  const [newest] = notices;
  const oldest = notices.at(-1) ?? newest;
  const accounts = new Set(notices.map(({ account }) => account["id"]));
  return {
    group_key: key,
    notifications_count: notices.length,
    type: newest.type,
    most_recent_notification_id: newest.notification.id,
    page_min_id: toWireId(oldest.notification.id),
    page_max_id: toWireId(newest.notification.id),
    latest_page_notification_at: toWireTime(newest.notification.createdAt),
    sample_account_ids: [...accounts].slice(0, MAX_SAMPLES),
    ...(newest.status && { status_id: newest.status["id"] }),
    ...warningOf(newest),
  };
}

const MAX_SAMPLES = 8;
