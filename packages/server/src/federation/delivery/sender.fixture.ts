import assert from "node:assert/strict";
import type { OutgoingHttpHeaders } from "node:http";
import {
  openTestDatabase,
  type DatabaseKind,
} from "../../../test/support/server/databases.ts";
import { Peer } from "../../../test/support/remote/peer.ts";
import { TestClock } from "../../../test/support/server/test-clock.ts";
import type { UserId } from "../../features/ids.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { plainLimits } from "../../jobs/worker/concurrency-limiter.ts";
import { Worker } from "../../jobs/worker/worker.ts";
import {
  createGuardedFetch,
  FetchRefused,
  type GuardedFetch,
} from "../../lib/http-client/guarded-fetch.ts";
import { silentLog } from "../../observability/log.ts";
import { putInQueue } from "../outbound/dispatch.ts";
import type { Order } from "../outbound/outgoing.ts";
import { createDeliver, DELIVER, type DeliveryProtocol } from "./deliver.ts";
import { createHostHealth, PROBE_HOST } from "./host-health.ts";

/** Sends plain texts, takes 410 and 415 for the last word, and 402 for the last but one. */
const plain = (fetch: GuardedFetch): DeliveryProtocol => ({
  prepare: async (document) => ({
    headers: { "content-type": "text/plain" },
    body: document.bytes,
    send: (request) =>
      fetch.request({
        ...request,
        sign: async ({ method }) => ({ "x-signed": method }),
      }),
  }),
  isFinal: (status) => status === 410 || status === 415,
  retryOnceAfterMs: (status) => (status === 402 ? 3_600_000 : undefined),
});

type OutgoingRequest = Pick<
  Parameters<GuardedFetch["request"]>[0],
  "method" | "url" | "body"
>;

/** Delivery and its queue over a database of their own, and a peer to send to. */
export type Sender = Awaited<ReturnType<typeof openSender>>;

export async function openSender(kind: DatabaseKind) {
  const { db, close } = await openTestDatabase(kind);
  const peer = await Peer.start();
  const clock = new TestClock();
  clock.stopAt(new Date("2026-01-01T00:00:00.000Z"));
  const jobs = createJobs({ db, clock });
  const guarded = createGuardedFetch({
    allowPrivateNetwork: true,
    userAgent: "Kith test",
  });
  const silent = new Map<string, () => void>();
  const nameOf = ({ method, url, body }: OutgoingRequest) =>
    `${method} ${url} ${String(body ?? "")}`;
  /** As it is, but for requests whose time the test lets be over. */
  const fetch: GuardedFetch = {
    ...guarded,
    request: (r) => {
      const { promise, reject } = Promise.withResolvers<never>();
      silent.set(nameOf(r), () =>
        reject(new FetchRefused("timeout", "No answer in time")),
      );
      return Promise.race([guarded.request(r), promise]);
    },
  };
  const shared = { db, jobs, clock, fetch };
  const protocols = { activitypub: plain(fetch), diaspora: plain(fetch) };
  const suspended = new Set<number>();
  /** All that a process has in memory. */
  const start = () => {
    const hosts = createHostHealth(shared);
    const worker = new Worker({
      ...shared,
      log: silentLog(),
      lock: { id: 1, ended: async () => [], release: async () => {} },
      slots: {
        ...{ work: plainLimits(4), delivery: plainLimits(4) },
        import: plainLimits(1),
      },
    });
    const rules = {
      isHostAllowed: async () => true,
      isUserSuspended: async (userId: UserId) => suspended.has(userId),
    };
    const delivering = { ...shared, hosts, protocols, ...rules };
    worker.handle(DELIVER, createDeliver(delivering));
    worker.handle(PROBE_HOST, hosts.probe);
    return { hosts, worker };
  };
  let running = start();

  const listJobs = () =>
    db.read.selectFrom("jobs").selectAll().orderBy("id").execute();

  return {
    clock,
    peer,
    /** The users in whose names nothing may be sent; jobs here are of user 1. */
    suspended,
    settle: () => running.worker.settle(),
    restart: async () => {
      await running.worker.stop();
      running = start();
    },
    jobs: listJobs,
    /** How fast hosts answered last. */
    speeds: jobs.speeds,
    hosts: () => db.read.selectFrom("remote_hosts").selectAll().execute(),
    answer: (status: number, headers: OutgoingHttpHeaders = {}) =>
      peer.act((response) => response.writeHead(status, headers).end()),
    noteSignOfLife: () =>
      db.transaction((tx) => running.hosts.recordActivity(tx, peer.origin)),
    onRetryAfter: (afterMs: number) =>
      running.hosts.recordRetryAfter(peer.origin, afterMs, "Answered 429"),
    put: (
      body: string,
      options: {
        lane?: string;
        url?: string;
        evenSuspended?: true;
        isHostClaimed?: true;
      } = {},
    ) =>
      db.transaction(async (tx) => {
        const documentId = await jobs.addDocument(tx, body);
        const payload = {
          protocol: "diaspora",
          url: options.url ?? peer.inbox,
          senderUserId: 1 as UserId,
          recipientId: null,
          ...(options.evenSuspended && { evenSuspended: true }),
          ...(options.isHostClaimed && { isHostClaimed: true }),
        } as const;
        const lane = `deliver:${options.lane ?? "one lane"}`;
        const place = { documentId, lane, host: peer.origin };
        await jobs.enqueue(tx, DELIVER, payload, place);
      }),
    /** As a fan-out does it. */
    dispatch: (document: string, lanes: readonly string[], url?: string) =>
      db.transaction((tx) =>
        putInQueue({ db, jobs, clock }, tx, [
          {
            document,
            order: { about: "one thing" },
            deliveries: lanes.map((place) => ({
              protocol: "activitypub",
              url: url ?? peer.inbox,
              place,
              senderUserId: 1 as UserId,
              recipientId: null,
            })),
          },
        ]),
      ),
    /** No answer comes to this request within its time, which is over now. */
    timeOut: (request: OutgoingRequest) => silent.get(nameOf(request))?.(),
    /** One document for each of these inboxes, in its order. */
    send: (document: string, urls: readonly string[], order: Order) =>
      db.transaction((tx) =>
        putInQueue({ db, jobs, clock }, tx, [
          {
            document,
            order,
            deliveries: urls.map((url) => ({
              protocol: "activitypub",
              url,
              place: url,
              senderUserId: 1 as UserId,
              recipientId: null,
            })),
          },
        ]),
      ),
    /** When the next job is due; undefined where none waits. */
    nextAt: async (): Promise<number | undefined> => {
      const row = await db.read
        .selectFrom("jobs")
        .select("run_at")
        .where("state", "=", "ready")
        .where("run_at", ">", clock.now().toISOString())
        .orderBy("run_at")
        .limit(1)
        .executeTakeFirst();
      return row && Date.parse(row.run_at);
    },
    gone: () => db.read.selectFrom("gone_inboxes").selectAll().execute(),
    /** Milliseconds until the delivery of this text is due. */
    pauseOf: async (body: string): Promise<number> => {
      const row = await db.read
        .selectFrom("jobs")
        .innerJoin("job_documents", "job_documents.id", "jobs.document_id")
        .select("run_at")
        .where("body", "=", body)
        .executeTakeFirst();
      assert.ok(row, `the delivery of ${body} waits`);
      return Date.parse(row.run_at) - clock.now().getTime();
    },
    close: async () => {
      await running.worker.stop();
      await peer.close();
      await fetch.close();
      await close();
    },
  };
}
