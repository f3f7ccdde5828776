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
  saveAnswers,
  saveFailure,
  saveHold,
  saveTrouble,
  type StoredHealth,
} from "./host-store.ts";
import {
  DELIVERY_LIFETIME_MS,
  FAILURES_UNTIL_HELD,
  HELD_MS,
  isSuspended,
  JUST_NOW_MS,
  probePause,
  TRY_ANYWAY_MS,
} from "./schedule.ts";
import { TroubledHosts } from "./troubled-hosts.ts";

/** The job that knocks at a host which does not answer, until it does. */
export const PROBE_HOST = jobKind<{ host: string }>("probe-host", {
  pool: "delivery",
});

/** There is one knocker for each host. */
export const probeLane = (host: string): string => `probe:${host}`;

const MAX_PROBE_BYTES = 64 * 1024;
const TOO_OLD = "Its time was over before its host came back";

export type HostHealthDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
};

/**
 * Which remote servers answer, and when to go on with those that did not: a
 * breaker for each host, kept in the database. After some failures in a row
 * nothing is sent to it any more, and what waits is held; one job knocks, and where
 * somebody opens, one delivery tries, each time one that was tried least often. Any success, and any valid message from the
 * host, lets the others go.
 */
export type HostHealth = ReturnType<typeof createHostHealth>;

export function createHostHealth(deps: HostHealthDeps) {
  const { db, jobs, clock } = deps;
  const troubled = new TroubledHosts(db);
  /** What failed while the host took nothing, failed for that; else it may be for what it is. */
  const release = (host: string, { failures, heldUntil }: StoredHealth) =>
    db.transaction(async (tx) => {
      const wasIll = failures >= FAILURES_UNTIL_HELD && heldUntil !== null;
      await clearFailures(tx, host);
      await jobs.releaseHost(tx, host, wasIll ? "all" : "free");
    });
  const hold = (tx: Tx, host: string, until: Date) =>
    jobs.holdHost(tx, host, until, {
      since: later(clock.now(), -DELIVERY_LIFETIME_MS),
      reason: TOO_OLD,
    });
  async function revive(tx: Tx, host: string): Promise<void> {
    const health = await findHostHealth(tx, host);
    if (!health) return;
    await deleteGoneInboxes(tx, host);
    const { failingSince, heldUntil } = health;
    const isSilent = failingSince === null || isSuspended(health, clock.now());
    if (isSilent && (heldUntil === null || failingSince !== null))
      await clearFailures(tx, host);
    if (failingSince !== null) await jobs.releaseHost(tx, host, "next");
  }
  return {
    /**
     * A delivery did not reach the host, or the host failed over it.
     * @param isNew whether it is the first failure of this delivery
     * @returns for how many milliseconds nothing is sent to it now
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
        // Held already: a long queue is not written anew at each attempt.
        if (heldForMs > HELD_MS / 2) return heldForMs;
        const until = later(now, HELD_MS);
        await saveHold(db, tx, host, timestamp(until), reason, at);
        await hold(tx, host, until);
        return HELD_MS;
      });
    },
    /** The host says when to come back: until then all that waits for it does, and nobody knocks. */
    recordRetryAfter: async (host: string, afterMs: number, reason: string) => {
      troubled.add(host);
      await db.transaction(async (tx) => {
        const now = clock.now();
        const until = later(now, afterMs);
        const at = timestamp(now);
        await saveHold(db, tx, host, timestamp(until), reason, at);
        await hold(tx, host, until);
        await saveAnswers(tx, host, false);
        await jobs.delayLane(tx, probeLane(host), until);
      });
    },
    /**
     * The host took a delivery that began then, or refused it for good, as one
     * that is well does: whatever waits for it goes out at once. Where it only
     * wished to be left alone, what it took on the way of that wish says nothing.
     */
    recordSuccess: async (host: string, startedAt: Date) => {
      if (!(await troubled.has(host))) return;
      const health = await findHostHealth(db.read, host);
      if (!health) return;
      const { failingSince, heldUntil, updatedAt } = health;
      const wasHeld = heldUntil !== null && timestamp(startedAt) > updatedAt;
      if (failingSince !== null || wasHeld) await release(host, health);
    },
    /** An inbox said that it is gone, which says nothing about its host. */
    recordGone: async (url: string, host: string, reason: string) => {
      troubled.add(host);
      await db.transaction(async (tx) => {
        const now = timestamp(clock.now());
        await saveGoneInbox(tx, url, host, now);
        await saveTrouble(tx, host, reason, now);
      });
    },
    /**
     * The host refused a delivery that will be tried again. It is well, too; but
     * where it failed only just now, what waits keeps its pause. Else a host that
     * fails over one delivery and refuses two others would get all of them again
     * and again, without end: each refusal would release the other two.
     */
    recordRefusal: async (host: string) => {
      if (!(await troubled.has(host))) return;
      const health = await findHostHealth(db.read, host);
      if (health?.failingSince == null) return;
      const failingForMs =
        clock.now().getTime() - Date.parse(health.failingSince);
      if (failingForMs >= JUST_NOW_MS) await release(host, health);
      else if (health.heldUntil === null)
        await db.transaction((tx) => clearFailures(tx, host));
    },
    /**
     * A valid message came from the host, so it lives. One delivery tries at once
     * whether it can be reached, too; if so, the others follow. What was given up
     * for dead gets what is told from now on.
     */
    recordActivity: revive,
    /** The same, of a message that was found valid by the worker. */
    recordLateActivity: async (host: string) => {
      if (await findHostHealth(db.read, host))
        await db.transaction((tx) => revive(tx, host));
    },
    probe: createProbe(deps),
  };
}

/** Lives as long as the host is failing, so that there is one for each host. */
function createProbe({
  db,
  jobs,
  clock,
  fetch,
}: HostHealthDeps): JobHandler<{ host: string }> {
  return async ({ host }) => {
    const health = await findHostHealth(db.read, host);
    if (health?.failingSince == null) return DONE;
    const isOpen = await answers(fetch, host);
    const now = clock.now();
    const sinceMs = now.getTime() - Date.parse(health.updatedAt);
    const mayTry = isOpen || sinceMs >= TRY_ANYWAY_MS;
    const isWell = await db.transaction(async (tx) => {
      if (isOpen && !(await jobs.hasJobsFor(tx, host))) {
        await clearFailures(tx, host);
        return true;
      }
      await saveAnswers(tx, host, isOpen);
      if (mayTry) await jobs.releaseHost(tx, host, "next");
      return false;
    });
    // Nothing tells that it is not: what comes next will.
    if (isWell) return DONE;
    // The row stays: what would be told to it is not even put in.
    if (isSuspended(health, now))
      return { kind: "give_up", reason: "No answer for a month" };
    const failingForMs = now.getTime() - Date.parse(health.failingSince);
    return { kind: "again", afterMs: probePause(failingForMs) };
  };
}

async function answers(fetch: GuardedFetch, host: string): Promise<boolean> {
  try {
    const { status } = await fetch.request({
      method: "GET",
      url: `${host}/.well-known/nodeinfo`,
      maxBytes: MAX_PROBE_BYTES,
      connectTimeoutMs: 5_000,
      timeoutMs: 10_000,
    });
    return !NOBODY_HOME.has(status);
  } catch (error) {
    // Whatever it says, and however long it is, somebody says it.
    return error instanceof FetchRefused && ANSWERED.has(error.reason);
  }
}

/** Bad gateway, not available, gateway timeout: a proxy speaks for a server that does not. */
const NOBODY_HOME = new Set([502, 503, 504]);
const ANSWERED: ReadonlySet<FetchRefused["reason"]> = new Set([
  "redirect",
  "too_large",
  "too_many_redirects",
]);
