import { createPublicKey } from "node:crypto";
import type { Db, Tx } from "../../db/db.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { KithError } from "../../lib/errors.ts";
import { keepOnce } from "../../lib/caching/keep-once.ts";
import type { Limit, Limits } from "../../lib/limits/limits.ts";
import type { GuardedFetch } from "../../lib/http-client/guarded-fetch.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { Accounts } from "../accounts/index.ts";
import type { NotificationId, UserId } from "../ids.ts";
import { rawPublicKey } from "./encrypt-push.ts";
import {
  deleteOthersAt,
  deleteSubscriptionOf,
  deleteSurplusSubscriptions,
  findHolder,
  findSubscriptionOf,
  listAddresses,
  replaceSubscription,
  updateChoice,
} from "./push-store.ts";
import {
  checkTarget,
  MAX_SUBSCRIPTIONS,
  type NewPushSubscription,
  type PushChoice,
  type PushHolder,
  type PushSubscription,
  type PushRenderers,
} from "./push-subscription.ts";
import { createSendPush, PUSH, type SendPushDeps } from "./send-push.ts";

export { PUSH } from "./send-push.ts";
export type {
  NewPushSubscription,
  PushPolicy,
  PushSubscription,
  RenderPush,
} from "./push-subscription.ts";

const HOUR_MS = 3_600_000;
/** Of one account in an hour; more would tell nobody anything. */
const MAX_PUSHES = 1_000;

export type PushDeps = Omit<SendPushDeps, "sender"> & {
  readonly jobs: Jobs;
  readonly accounts: Pick<Accounts, "getPushKey" | "lock">;
  readonly limits: Limits;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** May pushes go to the private network? */
  readonly allowPrivateNetwork: boolean;
};

/** Pushes to browsers and programs (RFC 8030), one subscription for each session or token. */
export type Push = ReturnType<typeof createPush>;

export function createPush(given: PushDeps) {
  const share = given.limits.create("push", "account", {
    max: MAX_PUSHES,
    windowMs: HOUR_MS,
  });
  const { db, jobs, accounts, seal, allowPrivateNetwork } = given;
  const sender = keepOnce(async () => ({
    privateKey: (await accounts.getPushKey()).privateKey,
    contact: contactOf(given.baseUrl),
  }));
  return {
    /** The key that clients name when they subscribe, in base64url. */
    publicKey: keepOnce(async () => {
      const { publicPem } = await accounts.getPushKey();
      return rawPublicKey(createPublicKey(publicPem));
    }),
    find: async (
      userId: UserId,
      holder: PushHolder,
    ): Promise<PushSubscription | undefined> => {
      const columns = await findHolder(db.read, userId, holder);
      return columns && findSubscriptionOf(db.read, seal, columns);
    },
    /**
     * Subscribes in the place of an earlier subscription of the same session or token.
     * @throws {KithError} `invalid`, or `unauthorized` if that has ended meanwhile
     */
    subscribe: (
      userId: UserId,
      holder: PushHolder,
      wanted: NewPushSubscription,
    ) =>
      subscribe(given, userId, holder, {
        ...wanted,
        target: checkTarget(wanted.target, allowPrivateNetwork),
      }),
    /** @throws {KithError} `not_found` without a subscription */
    change: (userId: UserId, holder: PushHolder, choice: PushChoice) =>
      db.transaction(async (tx) => {
        const columns = await findHolder(tx, userId, holder);
        const found = columns && (await findSubscriptionOf(tx, seal, columns));
        if (!found) throw new KithError("not_found", "No such subscription.");
        await updateChoice(tx, found.id, choice);
      }),
    /** Ends the subscription, if there is one. */
    unsubscribe: (userId: UserId, holder: PushHolder) =>
      db.transaction(async (tx) => {
        const columns = await findHolder(tx, userId, holder);
        if (columns) await deleteSubscriptionOf(tx, columns);
      }),
    /** Enqueues the pushes of a new notification, in the transaction that stores it. */
    enqueue: (tx: Tx, userId: UserId, notificationId: NotificationId) =>
      enqueuePushes({ jobs, share }, tx, userId, notificationId),
    /** Handles the job of a push. */
    createSend: (fetch: GuardedFetch, render: PushRenderers) =>
      createSendPush({ ...given, sender }, fetch, render),
  };
}

/** Push services take https and mailto alone, and no https on this machine. */
function contactOf(baseUrl: string): string {
  const { host, hostname } = new URL(baseUrl);
  return hostname === "localhost"
    ? "mailto:postmaster@localhost"
    : `https://${host}`;
}

async function subscribe(
  { db, clock, accounts, seal }: PushDeps & { readonly db: Db },
  userId: UserId,
  holder: PushHolder,
  wanted: NewPushSubscription,
): Promise<PushSubscription> {
  return db.transaction(async (tx) => {
    // So that the count holds, and a session that ends meanwhile takes it along.
    await accounts.lock(tx, userId);
    const columns = await findHolder(tx, userId, holder);
    if (!columns)
      throw new KithError("unauthorized", "The session or token has ended.");
    const token = "token" in holder ? holder.token : null;
    const { endpoint } = wanted.target;
    await deleteOthersAt(tx, endpoint, userId, token === null);
    const now = timestamp(clock.now());
    const id = await replaceSubscription(
      tx,
      seal,
      userId,
      { columns, token },
      wanted,
      now,
    );
    await deleteSurplusSubscriptions(tx, userId, MAX_SUBSCRIPTIONS);
    return { ...wanted, id, userId, token };
  });
}

async function enqueuePushes(
  { jobs, share }: { readonly jobs: Jobs; readonly share: Limit },
  tx: Tx,
  userId: UserId,
  notificationId: NotificationId,
): Promise<void> {
  const all = await listAddresses(tx, userId);
  // The addresses are the user's choice, and so is who causes notifications.
  const receivers = all.filter(() => share.take(String(userId)));
  if (receivers.length === 0) return;
  const each = receivers.map(({ id: subscriptionId, host }) => ({
    payload: { subscriptionId, userId, notificationId },
    // Not the name of a host that inboxes are on: users choose this one.
    options: { host: `push:${host}` },
  }));
  await jobs.enqueueAll(tx, PUSH, userId, each);
}
