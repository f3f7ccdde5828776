import type { PostId, UserId } from "../../features/ids.ts";
import type { Protocol } from "../../db/schema/remote-person.ts";
import {
  DONE,
  jobKind,
  type JobContext,
  type JobHandler,
  type JobResult,
  type LeasedJob,
} from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Db } from "../../db/db.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Clock } from "../../lib/time/clock.ts";
import {
  FetchRefused,
  type GuardedFetch,
} from "../../lib/http-client/guarded-fetch.ts";
import type { Delivery } from "./delivery.ts";
import { findLastError } from "./last-error-queries.ts";
import type { HostHealth } from "./host-health.ts";
import { readRetryAfter } from "../../lib/http-client/retry-after.ts";
import { pauseAfter } from "./schedule.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";

type DeliverPayload = Omit<Delivery, "place"> & {
  /**
   * The post that it publishes, whose author can see the state of the delivery.
   */
  readonly postId?: PostId;
  /** Deliver even if the sender is suspended. */
  readonly evenSuspended?: boolean;
};

/** The job for one POST to one inbox. */
export const DELIVER = jobKind<DeliverPayload>("deliver", {
  pool: "delivery",
  maxAttempts: 16,
});

/**
 * A stored document. One document goes to many inboxes, so both forms are
 * cached.
 */
export type StoredDocument = { readonly text: string; readonly bytes: Buffer };

export function stored(text: string): StoredDocument {
  return { text, bytes: Buffer.from(text) };
}

/** A request, prepared by the protocol at the moment of sending. */
type PreparedRequest = {
  /** The current URL, if the enqueued one has changed. On the same origin. */
  readonly url?: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | string;
  /**
   * Sends the request, if that takes more than one plain attempt: it is signed,
   * possibly in several ways in turn.
   */
  readonly send?: (
    this: void,
    request: Parameters<GuardedFetch["request"]>[0],
  ) => ReturnType<GuardedFetch["request"]>;
};

/** The protocol-specific part of a delivery. */
export type DeliveryProtocol = {
  prepare(
    document: StoredDocument,
    delivery: DeliverPayload,
  ): Promise<PreparedRequest | undefined>;
  /** Is this unsuccessful status final? */
  isFinal(status: number): boolean;
  /**
   * The pause before a single further attempt after this status; undefined for
   * the usual back-off.
   */
  retryOnceAfterMs?(status: number): number | undefined;
};

export type DeliverDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly hosts: HostHealth;
  readonly fetch: GuardedFetch;
  /**
   * Deliveries to a host that was blocked after their enqueueing are dropped.
   */
  readonly isHostAllowed: (address: string) => Promise<boolean>;
  /** So are deliveries of a user who was suspended after it. */
  readonly isUserSuspended: (userId: UserId) => Promise<boolean>;
  readonly protocols: Readonly<Record<Protocol, DeliveryProtocol>>;
};

const MAX_ANSWER_BYTES = 64 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;
const TIMEOUT_MS = 30_000;

export function createDeliver(deps: DeliverDeps): JobHandler<DeliverPayload> {
  const findDocument = createDocumentCache(deps);
  return async (delivery, context) => {
    const { documentId } = context.job;
    const document =
      documentId === null ? undefined : await findDocument(documentId);
    if (document === undefined)
      return { kind: "give_up", reason: "The document is gone" };
    if (!(await deps.isHostAllowed(delivery.url)))
      return { kind: "give_up", reason: "Its server is blocked" };
    if (await isForbidden(deps, delivery))
      return { kind: "give_up", reason: "Its sender is suspended" };
    const protocol = deps.protocols[delivery.protocol];
    const request = await protocol.prepare(document, delivery);
    if (!request) return { kind: "give_up", reason: "Nobody to send it to" };
    const counting =
      delivery.isHostClaimed === true
        ? { ...deps, hosts: withoutFailures(deps.hosts) }
        : deps;
    const { url = delivery.url } = request;
    return post(counting, { ...delivery, url }, request, context);
  };
}

/**
 * Host health for a host that only the recipient claims: failures there do not
 * count against the host, or anyone could have its deliveries held.
 */
function withoutFailures(hosts: HostHealth): HostHealth {
  return {
    ...hosts,
    recordFailure: async () => 0,
    recordRetryAfter: async () => {},
  };
}

async function isForbidden(
  { isUserSuspended }: DeliverDeps,
  { senderUserId, evenSuspended }: DeliverPayload,
): Promise<boolean> {
  if (senderUserId === null || evenSuspended === true) return false;
  return isUserSuspended(senderUserId);
}

const MAX_DOCUMENTS = 16;

/**
 * Caches the documents being delivered: each goes to many inboxes, and never
 * changes.
 */
function createDocumentCache({ db, jobs }: DeliverDeps) {
  const kept = createLruCache<number, StoredDocument>({ max: MAX_DOCUMENTS });
  return async (id: number): Promise<StoredDocument | undefined> => {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const text = await jobs.findDocument(db.read, id);
    if (text === undefined) return undefined;
    const document = stored(text);
    kept.set(id, document);
    return document;
  };
}

async function post(
  deps: DeliverDeps,
  delivery: DeliverPayload,
  request: PreparedRequest,
  { job, signal }: JobContext,
): Promise<JobResult> {
  const startedAt = deps.clock.now();
  const host = job.host ?? new URL(delivery.url).origin;
  try {
    const { send = (r) => deps.fetch.request(r) } = request;
    const answer = await send({
      method: "POST",
      url: delivery.url,
      headers: request.headers,
      body: request.body,
      maxBytes: MAX_ANSWER_BYTES,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      timeoutMs: TIMEOUT_MS,
      headOnly: true,
      signal,
    });
    if (answer.status >= 200 && answer.status < 300) {
      await deps.hosts.recordSuccess(host, startedAt);
      return DONE;
    }
    const protocol = deps.protocols[delivery.protocol];
    const askedMs = readRetryAfter(
      answer.headers["retry-after"],
      deps.clock.now(),
    );
    const { status } = answer;
    const refusal = { url: delivery.url, host, status, askedMs, startedAt };
    return await afterRefusal(deps, protocol, job, refusal);
  } catch (error) {
    const isProven = delivery.isHostClaimed !== true;
    return afterNetworkFailure(deps, { host, isProven }, job, error, signal);
  }
}

type Refusal = {
  readonly url: string;
  readonly host: string;
  readonly status: number;
  /** The parsed Retry-After; 0 if there is none. */
  readonly askedMs: number;
  readonly startedAt: Date;
};

async function afterRefusal(
  deps: DeliverDeps,
  protocol: DeliveryProtocol,
  job: LeasedJob,
  { url, host, status, askedMs, startedAt }: Refusal,
): Promise<JobResult> {
  const { hosts } = deps;
  const reason = `Answered ${status}`;
  const isNew = job.attempts === 1;
  if (protocol.isFinal(status)) {
    if (status < 500) await hosts.recordSuccess(host, startedAt);
    else await hosts.recordFailure(host, reason, isNew);
    if (status === GONE) await hosts.recordGone(url, host, reason);
    return { kind: "give_up", reason };
  }
  let hostAfterMs = 0;
  if (status < 500) await hosts.recordRefusal(host);
  // A host that says when to come back needs no probe before.
  if (askedMs > 0 && WITH_RETRY_AFTER.has(status))
    await hosts.recordRetryAfter(host, askedMs, reason);
  else if (status >= 500)
    hostAfterMs = await hosts.recordFailure(host, reason, isNew);
  // The host has processed and refused this one: the deliveries behind it need
  // not wait.
  const refused = { reason, hostAfterMs, stepAside: true };
  const onceAfterMs = protocol.retryOnceAfterMs?.(status);
  if (onceAfterMs === undefined) return retry(deps, job, refused, askedMs);
  if ((await findLastError(deps.db.read, job.id)) === reason)
    return { kind: "give_up", reason };
  const afterMs = Math.max(onceAfterMs, askedMs);
  return { kind: "retry", afterMs, leastMs: afterMs, ...refused };
}

const GONE = 410;

/**
 * Too many requests, and unavailable: they concern the whole host, whatever the
 * request.
 */
const WITH_RETRY_AFTER = new Set([429, 503]);

async function afterNetworkFailure(
  deps: DeliverDeps,
  { host, isProven }: { readonly host: string; readonly isProven: boolean },
  job: LeasedJob,
  error: unknown,
  signal: AbortSignal,
): Promise<JobResult> {
  // The process is stopping: this says nothing about the host.
  if (signal.aborted)
    return { kind: "retry", afterMs: 0, reason: "Interrupted" };
  if (!(error instanceof FetchRefused)) throw error;
  // Our own rules forbid the URL; a retry changes nothing.
  if (!["network", "dns", "timeout"].includes(error.reason))
    return { kind: "give_up", reason: messageOf(error) };
  const reason = messageOf(error);
  const isNew = job.attempts === 1;
  const hostAfterMs = await deps.hosts.recordFailure(host, reason, isNew);
  // The first timeout blocks the deliveries behind it, since the host is
  // probably down; not so for a host that is only claimed.
  const stepAside = !isNew || !isProven;
  return retry(deps, job, { reason, hostAfterMs, stepAside });
}

type Failure = {
  readonly reason: string;
  readonly hostAfterMs: number;
  readonly stepAside: boolean;
};

/**
 * @param askedMs the host's Retry-After, before which the job is not brought
 *   forward
 */
function retry(
  { clock }: DeliverDeps,
  job: LeasedJob,
  failure: Failure,
  askedMs = 0,
): JobResult {
  const ageMs = clock.now().getTime() - Date.parse(job.createdAt);
  const pause = pauseAfter(job.attempts, ageMs, Math.random());
  if (pause === undefined) return { kind: "give_up", reason: failure.reason };
  const afterMs = Math.max(pause, askedMs);
  return { kind: "retry", afterMs, leastMs: askedMs, ...failure };
}
