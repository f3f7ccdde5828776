import type { Db, Tx } from "../../db/db.ts";
import { jobKind, DONE, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import {
  FetchRefused,
  type GuardedFetch,
} from "../../lib/http-client/guarded-fetch.ts";
import { deleteGoneInboxes, saveGoneInbox } from "./gone-inbox-store.ts";
import {
  clearFailures,
  findHostHealth,
  saveProbeResult,
  saveFailure,
  saveHold,
  ensureHost,
  type StoredHealth,
} from "./host-store.ts";
import {
  DELIVERY_LIFETIME_MS,
  FAILURES_UNTIL_HELD,
  HELD_MS,
  isGivenUp,
  RECENT_FAILURE_MS,
  probePause,
  HALF_OPEN_EVERY_MS,
} from "./schedule.ts";
import { TroubledHosts } from "./troubled-hosts.ts";

/** The job that probes an unresponsive host until it recovers. */
export const PROBE_HOST = jobKind<{ host: string }>("probe-host", {
  pool: "delivery",
});

/** There is one probe for each host. */
export const probeLane = (host: string): string => `probe:${host}`;

const MAX_PROBE_BYTES = 64 * 1024;
const TOO_OLD = "The delivery expired before its host recovered";

export type HostHealthDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
};

/**
 * The health of remote hosts: a circuit breaker for each, kept in the database.
 * After several consecutive failures the circuit opens: deliveries to the host
 * are held, and one job probes it. When the probe is answered, the circuit is
 * half-open: one delivery is tried, always the one with the fewest attempts.
 * Any success, and any valid message from the host, closes the circuit and
 * releases the others.
 */
export type HostHealth = ReturnType<typeof createHostHealth>;

export function createHostHealth(deps: HostHealthDeps) {
  const { db, jobs, clock } = deps;
  const troubled = new TroubledHosts(db);
  /**
   * Deliveries that failed while the host took nothing failed for that reason;
   * otherwise a failure may be due to the delivery itself.
   */
  const release = (host: string, { failures, heldUntil }: StoredHealth) =>
    db.transaction(async (tx) => {
      const wasIll = failures >= FAILURES_UNTIL_HELD && heldUntil !== null;
      // Another delivery may have released them since; some have been refused by now.
      if (await clearFailures(tx, host))
        await jobs.releaseHost(tx, host, wasIll ? "all" : "free");
    });
  const hold = (tx: Tx, host: string, until: Date) =>
    jobs.holdHost(tx, host, until, {
      since: later(clock.now(), -DELIVERY_LIFETIME_MS),
      reason: TOO_OLD,
    });
  async function closeCircuit(tx: Tx, host: string): Promise<void> {
    const health = await findHostHealth(tx, host);
    if (!health) return;
    await deleteGoneInboxes(tx, host);
    const { failingSince, heldUntil } = health;
    const isSilent = failingSince === null || isGivenUp(health, clock.now());
    if (isSilent && (heldUntil === null || failingSince !== null))
      await clearFailures(tx, host);
    if (failingSince !== null) await jobs.releaseHost(tx, host, "next");
  }
  return {
    /**
     * Records a delivery that failed because of its host: unreachable, or a
     * server error.
     * @param isNew is it the first failure of this delivery?
     * @returns for how many milliseconds the circuit stays open
     */
    recordFailure: async (
      host: string,
      reason: string,
      isNew: boolean,
    ): Promise<number> => {
      troubled.add(host);
      return db.transaction(async (tx) => {
        const now = clock.now();
        const at = timestamp(now);
        const failure = { reason, isNew };
        const health = await saveFailure(db, tx, host, failure, at);
        await jobs.enqueueOnce(
          tx,
          PROBE_HOST,
          { host },
          { lane: probeLane(host), runAt: later(now, probePause(0)) },
        );
        if (health.failures < FAILURES_UNTIL_HELD) return 0;
        const heldForMs = Date.parse(health.heldUntil ?? at) - now.getTime();
        // Held already: a long queue is not postponed again at each attempt.
        if (heldForMs > HELD_MS / 2) return heldForMs;
        const until = later(now, HELD_MS);
        await saveHold(db, tx, host, timestamp(until), reason, at);
        await hold(tx, host, until);
        return HELD_MS;
      });
    },
    /**
     * Records a Retry-After: until then all deliveries to the host wait,
     * without a probe.
     */
    recordRetryAfter: async (host: string, afterMs: number, reason: string) => {
      troubled.add(host);
      await db.transaction(async (tx) => {
        const now = clock.now();
        const until = later(now, afterMs);
        const at = timestamp(now);
        await saveHold(db, tx, host, timestamp(until), reason, at);
        await hold(tx, host, until);
        await saveProbeResult(tx, host, false);
        await jobs.delayLane(tx, probeLane(host), until);
      });
    },
    /**
     * Records an accepted delivery that started at that time, or a final
     * refusal by a healthy host: the circuit closes, and waiting deliveries are
     * sent. A delivery that was under way when the host sent its Retry-After
     * does not cancel that.
     */
    recordSuccess: async (host: string, startedAt: Date) => {
      if (!(await troubled.has(host))) return;
      const health = await findHostHealth(db.read, host);
      if (!health) return;
      const { failingSince, heldUntil, updatedAt } = health;
      const wasHeld = heldUntil !== null && timestamp(startedAt) > updatedAt;
      if (failingSince !== null || wasHeld) await release(host, health);
    },
    /** Records that an inbox is gone, which says nothing about its host. */
    recordGone: async (url: string, host: string, reason: string) => {
      troubled.add(host);
      await db.transaction(async (tx) => {
        const now = timestamp(clock.now());
        await saveGoneInbox(tx, url, host, now);
        await ensureHost(tx, host, reason, now);
      });
    },
    /**
     * Records a refusal that will be retried. The host is healthy; but if it
     * failed a moment ago, waiting deliveries keep their back-off. Otherwise a
     * host that fails on one delivery and refuses two others would get all of
     * them in an endless loop: each refusal would release the other two.
     */
    recordRefusal: async (host: string) => {
      if (!(await troubled.has(host))) return;
      const health = await findHostHealth(db.read, host);
      if (health?.failingSince == null) return;
      const failingForMs =
        clock.now().getTime() - Date.parse(health.failingSince);
      if (failingForMs >= RECENT_FAILURE_MS) await release(host, health);
      else if (health.heldUntil === null)
        await db.transaction((tx) => clearFailures(tx, host));
    },
    /**
     * Records a valid message from the host, which is therefore up. One
     * delivery probes whether it is reachable; if so, the others follow. A host
     * that was given up gets new deliveries again.
     */
    recordActivity: closeCircuit,
    /** The same for a message that the worker verified. */
    recordLateActivity: async (host: string) => {
      if (await findHostHealth(db.read, host))
        await db.transaction((tx) => closeCircuit(tx, host));
    },
    probe: createProbe(deps),
  };
}

/**
 * The probe exists as long as the host is failing, so that there is one for
 * each host.
 */
function createProbe({
  db,
  jobs,
  clock,
  fetch,
}: HostHealthDeps): JobHandler<{ host: string }> {
  return async ({ host }) => {
    const health = await findHostHealth(db.read, host);
    if (health?.failingSince == null) return DONE;
    const isOpen = await respondsToProbe(fetch, host);
    const now = clock.now();
    const sinceMs = now.getTime() - Date.parse(health.updatedAt);
    const mayTry = isOpen || sinceMs >= HALF_OPEN_EVERY_MS;
    const isWell = await db.transaction(async (tx) => {
      if (isOpen && !(await jobs.hasJobsFor(tx, host))) {
        await clearFailures(tx, host);
        return true;
      }
      // A delivery may have shown meanwhile that it is well.
      if (!(await saveProbeResult(tx, host, isOpen))) return true;
      if (mayTry) await jobs.releaseHost(tx, host, "next");
      return false;
    });
    // There is no evidence of a failure: the next delivery will show.
    if (isWell) return DONE;
    // The row stays: deliveries to the host are not even enqueued.
    if (isGivenUp(health, now))
      return { kind: "give_up", reason: "No answer for a month" };
    const failingForMs = now.getTime() - Date.parse(health.failingSince);
    return { kind: "again", afterMs: probePause(failingForMs) };
  };
}

async function respondsToProbe(
  fetch: GuardedFetch,
  host: string,
): Promise<boolean> {
  try {
    const { status } = await fetch.request({
      method: "GET",
      url: `${host}/.well-known/nodeinfo`,
      maxBytes: MAX_PROBE_BYTES,
      connectTimeoutMs: 5_000,
      timeoutMs: 10_000,
    });
    return !GATEWAY_ERRORS.has(status);
  } catch (error) {
    // Any response proves that the host is up, even one that is too large.
    return error instanceof FetchRefused && ANSWERED.has(error.reason);
  }
}

/**
 * Bad gateway, unavailable, gateway timeout: a proxy answers for a server that
 * is down.
 */
const GATEWAY_ERRORS = new Set([502, 503, 504]);
const ANSWERED: ReadonlySet<FetchRefused["reason"]> = new Set([
  "redirect",
  "too_large",
  "too_many_redirects",
]);
