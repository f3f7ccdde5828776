import type { Db, Tx } from "../../db/db.ts";
import type { NotificationReason } from "../../db/schema/columns/notification.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { NotificationId, PersonId, PostId, UserId } from "../ids.ts";
import { hasBlockedOrIgnored, mayNotify } from "../visibility/index.ts";
import { isWanted } from "./wanted-queries.ts";
import {
  insertNotification,
  renewMessageNotification,
  renewNotification,
  type NewNotification,
} from "./notification-store.ts";

export type StoreNotificationDeps = {
  readonly changes: {
    /** Tells the user's open streams, once it is committed. */
    noteNotification(tx: Tx, userId: UserId, id: NotificationId): void;
  };
  readonly push: {
    /** Enqueues what is sent to the user's devices. */
    enqueue(tx: Tx, userId: UserId, id: NotificationId): Promise<void>;
  };
  readonly mails: {
    /** Enqueues a mail, if the user wants one at once. */
    enqueueNotice(
      tx: Tx,
      userId: UserId,
      notice: {
        readonly id: NotificationId;
        readonly reason: NotificationReason;
      },
    ): Promise<void>;
  };
  readonly db: Db;
  readonly clock: Clock;
};

type ToStore = {
  /** The person of the user. */
  readonly selfId: PersonId;
  readonly notification: NewNotification;
  /** The post, or the one that the comment, like or message belongs to. */
  readonly postId?: PostId | undefined;
};

/** Stores a notification, unless the user does not want it. All of them are stored here. */
export async function storeNotification(
  deps: StoreNotificationDeps,
  toStore: ToStore,
): Promise<void> {
  await deps.db.transaction((tx) => storeWithin(deps, tx, toStore));
}

/** The same, within a transaction. */
export async function storeWithin(
  { changes, push, mails, clock }: StoreNotificationDeps,
  tx: Tx,
  { selfId, notification, postId }: ToStore,
): Promise<void> {
  const { userId, personId: by, reason } = notification;
  if (await hasBlockedOrIgnored(tx, selfId, by)) return;
  if (!(await mayNotify(tx, userId, by))) return;
  const now = clock.now();
  if (!(await isWanted(tx, { selfId, userId, by, reason, postId, now })))
    return;
  const id = await saverOf(reason)(tx, notification, timestamp(now));
  if (id === undefined) return;
  changes.noteNotification(tx, userId, id);
  await push.enqueue(tx, userId, id);
  await mails.enqueueNotice(tx, userId, { id, reason });
}

/** Reasons that can recur: they notify each time. */
const RECURRING: readonly NotificationReason[] = [
  "draft_failed",
  "event_answer",
  "event_changed",
  "event_reminder",
  "event_reply",
  "follow_request",
  "moderation",
  "poll_ended",
  "post_changed",
  "quoted_changed",
];

function saverOf(reason: NotificationReason) {
  if (reason === "message") return renewMessageNotification;
  return RECURRING.includes(reason) ? renewNotification : insertNotification;
}
