import type { NotificationReason } from "../../db/schema/columns/notification.ts";
import type {
  NotificationKind,
  NotifyingPeople,
  UnwantedPeople,
} from "../../db/schema/columns/notification-choice.ts";

/** The kinds of notifications that users choose about, each with its reasons. */
const REASONS = {
  comment: ["comment"],
  mention: ["mention", "quote"],
  message: ["message"],
  like: ["like"],
  reshare: ["reshare"],
  follower: ["contact"],
  follow_request: ["follow_request"],
  event: [
    ...(["event_invitation", "event_changed", "event_answer"] as const),
    ...(["event_cancelled", "event_reply", "calendar_shared"] as const),
  ],
  poll: ["poll_ended"],
  edit: ["post_changed", "quoted_changed"],
} as const satisfies Record<NotificationKind, readonly NotificationReason[]>;

export const NOTIFICATION_KINDS = [
  ...(["comment", "mention", "message", "like", "reshare"] as const),
  ...(["follower", "follow_request", "event", "poll", "edit"] as const),
] as const satisfies readonly NotificationKind[];

export const NOTIFYING_PEOPLE = [
  "everyone",
  "following",
  "nobody",
] as const satisfies readonly NotifyingPeople[];

export const UNWANTED_PEOPLE = [
  "not_following",
  "not_followers",
  "new_people",
  "private_messages",
] as const satisfies readonly UnwantedPeople[];

/** The kinds of acts, and the people, of which a user is notified. */
export type NotificationChoices = {
  /** The people, for each kind of act. */
  readonly senders: Readonly<Record<NotificationKind, NotifyingPeople>>;
  /** People whose acts of no kind notify the user. */
  readonly dropped: readonly UnwantedPeople[];
};

export type NotificationChoiceChanges = {
  readonly senders?: Partial<NotificationChoices["senders"]>;
  readonly dropped?: Partial<Record<UnwantedPeople, boolean>>;
};

/**
 * @returns undefined for reasons that always notify: a contact that moved, a refused
 *   follow, a draft that could not be published, decisions of the moderators, and posts and reminders, which have choices of their own
 */
export const kindOf = (
  reason: NotificationReason,
): NotificationKind | undefined =>
  NOTIFICATION_KINDS.find((kind) => REASONS[kind].some((it) => it === reason));

/** Fills in the kinds that were not chosen. */
export function choicesOf(
  senders: Partial<Record<NotificationKind, NotifyingPeople>>,
  dropped: readonly UnwantedPeople[],
): NotificationChoices {
  const { comment, mention, message, like } = senders;
  const { reshare, follower, follow_request, event } = senders;
  const { poll, edit } = senders;
  return {
    senders: {
      comment: comment ?? "everyone",
      mention: mention ?? "everyone",
      message: message ?? "everyone",
      like: like ?? "everyone",
      reshare: reshare ?? "everyone",
      follower: follower ?? "everyone",
      follow_request: follow_request ?? "everyone",
      event: event ?? "everyone",
      poll: poll ?? "everyone",
      edit: edit ?? "everyone",
    },
    dropped,
  };
}

export function changeChoices(
  before: NotificationChoices,
  { senders, dropped = {} }: NotificationChoiceChanges,
): NotificationChoices {
  return {
    senders: { ...before.senders, ...senders },
    dropped: UNWANTED_PEOPLE.filter(
      (it) => dropped[it] ?? before.dropped.includes(it),
    ),
  };
}

/** The reasons of kinds. */
export const reasonsOfKinds = (
  kinds: readonly NotificationKind[],
): NotificationReason[] => kinds.flatMap((kind) => [...REASONS[kind]]);
