import type { Db } from "../../db/db.ts";
import {
  DONE,
  jobKind,
  type JobContext,
  type JobHandler,
  type JobResult,
} from "../../jobs/job.ts";
import { backOffMs } from "../../jobs/back-off.ts";
import {
  FetchRefused,
  type GuardedFetch,
} from "../../lib/http-client/guarded-fetch.ts";
import { readRetryAfter } from "../../lib/http-client/retry-after.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { BoundSeal } from "../accounts/index.ts";
import type { Contacts } from "../contacts/index.ts";
import type { NotificationId, PushSubscriptionId, UserId } from "../ids.ts";
import type {
  Notification,
  NotificationOwner,
  Notifications,
} from "../notifications/index.ts";
import type { People } from "../people/index.ts";
import { encryptPush, type PushSender } from "./encrypt-push.ts";
import { deleteSubscription, findLivingSubscription } from "./push-store.ts";
import type { PushRenderers, PushSubscription } from "./push-subscription.ts";

/** The job for one push to one receiver. */
export const PUSH = jobKind<{
  readonly subscriptionId: PushSubscriptionId;
  readonly userId: UserId;
  readonly notificationId: NotificationId;
}>("push", { pool: "delivery", maxAttempts: 8 });

/** A push that could not be sent for longer says nothing new. */
const MAX_AGE_MS = 6 * 3_600_000;
const MAX_ATTEMPTS = 6;
const MAX_ANSWER_BYTES = 4_096;
const TIMEOUT_MS = 30_000;

export type SendPushDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: BoundSeal;
  readonly sender: () => Promise<PushSender>;
  readonly contacts: Pick<Contacts, "find">;
  readonly people: Pick<People, "find">;
  readonly notifications: Pick<Notifications, "find" | "isListed">;
};

export function createSendPush(
  deps: SendPushDeps,
  fetch: GuardedFetch,
  render: PushRenderers,
): JobHandler<NonNullable<(typeof PUSH)["payload"]>> {
  return async ({ subscriptionId, userId, notificationId }, context) => {
    const now = deps.clock.now();
    const ageMs = now.getTime() - Date.parse(context.job.createdAt);
    if (ageMs > MAX_AGE_MS) return DONE;
    const subscription = await findLivingSubscription(
      deps.db.read,
      deps.seal,
      subscriptionId,
      timestamp(now),
    );
    if (subscription?.userId !== userId) return DONE;
    const message = await writeMessage(
      deps,
      render,
      subscription,
      notificationId,
    );
    if (message === undefined) return DONE;
    return post(deps, fetch, subscription, message, context);
  };
}

/** Writes a message if the notification is new, and may be shown at this moment. */
async function writeMessage(
  deps: SendPushDeps,
  render: PushRenderers,
  subscription: PushSubscription,
  id: NotificationId,
): Promise<string | undefined> {
  const { notifications, people } = deps;
  const { userId, token } = subscription;
  const self = await people.find({ userId });
  if (!self) return undefined;
  const user: NotificationOwner = { userId, personId: self.id };
  const found = await notifications.find(user, id);
  if (!found?.unread || !(await notifications.isListed(user, id)))
    return undefined;
  if (!(await isWanted(deps, subscription, found))) return undefined;
  const write = token === null ? render.browser : render.program;
  return write(user, found, subscription);
}

async function isWanted(
  { contacts }: SendPushDeps,
  { userId, policy }: PushSubscription,
  { personId }: Notification,
): Promise<boolean> {
  if (policy === "all") return true;
  const contact = await contacts.find(userId, personId);
  const isNear = policy === "followed" ? contact?.following : contact?.sharing;
  return isNear ?? false;
}

async function post(
  { db, clock, sender }: SendPushDeps,
  fetch: GuardedFetch,
  subscription: PushSubscription,
  message: string,
  { job, signal }: JobContext,
): Promise<JobResult> {
  const push = await encryptPush(subscription, message, await sender());
  try {
    const { status, headers } = await fetch.request({
      method: "POST",
      url: subscription.target.endpoint,
      ...push,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      headOnly: true,
      signal,
    });
    if (ENDED.has(status))
      await db.transaction((tx) => deleteSubscription(tx, subscription.id));
    if (!isPassing(status)) return DONE;
    const askedMs = readRetryAfter(headers["retry-after"], clock.now());
    return retry(job.attempts, `Answered ${status}`, askedMs);
  } catch (error) {
    if (signal.aborted)
      return { kind: "retry", afterMs: 0, reason: "Interrupted" };
    if (!(error instanceof FetchRefused)) throw error;
    return PASSING_REASONS.has(error.reason)
      ? retry(job.attempts, error.message, 0)
      : DONE;
  }
}

/** The subscription is unknown, or has ended (RFC 8030, sections 7.3 and 7.4). */
const ENDED: ReadonlySet<number> = new Set([404, 410]);

/** Refusals of this push alone end it: a repetition would be refused, too. */
const isPassing = (status: number): boolean =>
  status === 408 || status === 429 || status >= 500;

const PASSING_REASONS: ReadonlySet<string> = new Set([
  "network",
  "dns",
  "timeout",
]);

/** The last attempt is no failure for the operator: users choose where pushes go. */
function retry(attempts: number, reason: string, askedMs: number): JobResult {
  if (attempts >= MAX_ATTEMPTS) return DONE;
  const afterMs = Math.max(backOffMs(attempts + 2), askedMs);
  return { kind: "retry", afterMs, leastMs: askedMs, reason };
}
