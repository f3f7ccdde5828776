import type { PostId, UserId } from "../../features/ids.ts";
import type { Protocol } from "../../db/remote-person.ts";
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
import type { Delivery } from "../outbound/outgoing.ts";
import { findLastError } from "./last-error-queries.ts";
import type { HostHealth } from "./host-health.ts";
import { readRetryAfter } from "./retry-after.ts";
import { pauseAfter } from "./schedule.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";

type DeliverPayload = Omit<Delivery, "place"> & {
  /** The post that it publishes, of which its author can see how far it came. */
  readonly postId?: PostId;
  /** Also where its sender is suspended. */
  readonly evenSuspended?: boolean;
};

/** The job that makes one POST to one inbox. */
export const DELIVER = jobKind<DeliverPayload>("deliver", {
  pool: "delivery",
  maxAttempts: 16,
});

/** What is sent, as it is stored. One goes to many, so both forms are kept. */
export type StoredDocument = { readonly text: string; readonly bytes: Buffer };

export function stored(text: string): StoredDocument {
  return { text, bytes: Buffer.from(text) };
}

/** A request, made ready by the protocol at the moment of sending. */
type PreparedRequest = {
  /** Where it goes to, where that is no longer what was put in. On the same origin. */
  readonly url?: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | string;
  /** Makes the request, where that takes more than to make it: it is signed, maybe in several ways in turn. */
  readonly send?: (
    this: void,
    request: Parameters<GuardedFetch["request"]>[0],
  ) => ReturnType<GuardedFetch["request"]>;
};

/** What delivery needs to know of a protocol. */
export type DeliveryProtocol = {
  prepare(
    document: StoredDocument,
    delivery: DeliverPayload,
  ): Promise<PreparedRequest | undefined>;
  /** Is this answer, which is no success, the last word? */
  isFinal(status: number): boolean;
  /** An answer after which one more attempt is worth while, so much later, and no further one. */
  retryOnceAfterMs?(status: number): number | undefined;
};

export type DeliverDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly hosts: HostHealth;
  readonly fetch: GuardedFetch;
  /** What has become blocked since it was put in is not sent. */
  readonly isHostAllowed: (address: string) => Promise<boolean>;
  /** Nor what is in the name of somebody who has become suspended. */
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
    if (await mayNotSpeak(deps, delivery))
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
 * For a host that only the recipient claims to live on: what fails there says
 * nothing against the host, or anybody could have deliveries to it held.
 */
function withoutFailures(hosts: HostHealth): HostHealth {
  return {
    ...hosts,
    recordFailure: async () => 0,
    recordRetryAfter: async () => {},
  };
}

async function mayNotSpeak(
  { isUserSuspended }: DeliverDeps,
  { senderUserId, evenSuspended }: DeliverPayload,
): Promise<boolean> {
  if (senderUserId === null || evenSuspended === true) return false;
  return isUserSuspended(senderUserId);
}

const MAX_DOCUMENTS = 16;

/** Keeps the documents that go out just now: one is sent to many, and never changes. */
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
  /** What Retry-After says; 0 where it says nothing. */
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
  // Whoever says when to come back need not be knocked at before.
  if (askedMs > 0 && SAYS_WHEN.has(status))
    await hosts.recordRetryAfter(host, askedMs, reason);
  else if (status >= 500)
    hostAfterMs = await hosts.recordFailure(host, reason, isNew);
  // The host has looked at this one: what follows it need not wait for it.
  const refused = { reason, hostAfterMs, stepAside: true };
  const onceAfterMs = protocol.retryOnceAfterMs?.(status);
  if (onceAfterMs === undefined) return retry(deps, job, refused, askedMs);
  if ((await findLastError(deps.db.read, job.id)) === reason)
    return { kind: "give_up", reason };
  const afterMs = Math.max(onceAfterMs, askedMs);
  return { kind: "retry", afterMs, leastMs: afterMs, ...refused };
}

const GONE = 410;

/** Too many requests, and not available: of the whole host, whatever was asked of it. */
const SAYS_WHEN = new Set([429, 503]);

async function afterNetworkFailure(
  deps: DeliverDeps,
  { host, isProven }: { readonly host: string; readonly isProven: boolean },
  job: LeasedJob,
  error: unknown,
  signal: AbortSignal,
): Promise<JobResult> {
  // We are stopping: nothing is known of the host.
  if (signal.aborted)
    return { kind: "retry", afterMs: 0, reason: "Interrupted" };
  if (!(error instanceof FetchRefused)) throw error;
  // A rule of ours forbids the address; trying again changes nothing.
  if (!["network", "dns", "timeout"].includes(error.reason))
    return { kind: "give_up", reason: messageOf(error) };
  const reason = messageOf(error);
  const isNew = job.attempts === 1;
  const hostAfterMs = await deps.hosts.recordFailure(host, reason, isNew);
  // Silence is the host's the first time; nobody holds what is for one that is only claimed.
  const stepAside = !isNew || !isProven;
  return retry(deps, job, { reason, hostAfterMs, stepAside });
}

type Failure = {
  readonly reason: string;
  readonly hostAfterMs: number;
  readonly stepAside: boolean;
};

/** @param askedMs what the host asked for, before which nothing brings this one forward */
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
