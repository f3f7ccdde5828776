import type { Db, Tx } from "../../db/db.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { later, timestamp, type Clock } from "../../lib/clock.ts";
import type { GuardedFetch } from "../../lib/guarded-fetch.ts";
import { clearFailures, findHostHealth, saveFailure } from "./host-store.ts";
import { GIVE_UP_PROBING_AFTER_MS, probePause } from "./schedule.ts";

/** The job that knocks at a host which does not answer, until it does. */
export const PROBE_HOST = jobKind<{ host: string }>("probe-host", {
  pool: "delivery",
});

const MAX_PROBE_BYTES = 64 * 1024;

export type HostsDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
};

/** Which remote servers answer, and when to go on with those that did not. */
export type Hosts = ReturnType<typeof createHosts>;

export function createHosts(deps: HostsDeps) {
  const { db, jobs, clock } = deps;
  const release = (host: string) =>
    db.transaction(async (tx) => {
      await clearFailures(tx, host);
      await jobs.releaseHost(tx, host, "all");
    });
  return {
    /** A delivery did not reach the host. */
    noteFailure: (host: string, reason: string) =>
      db.transaction(async (tx) => {
        const now = clock.now();
        const isNew = await saveFailure(tx, host, reason, timestamp(now));
        if (isNew)
          await jobs.enqueueOnce(
            tx,
            PROBE_HOST,
            { host },
            { lane: `probe:${host}`, runAt: later(now, probePause(0)) },
          );
      }),
    /** The host took a delivery, or refused it for good, as one that is well does: whatever waits for it goes out at once. */
    noteSuccess: async (host: string) => {
      const { failingSince } = await findHostHealth(db.read, host);
      if (failingSince !== null) await release(host);
    },
    /**
     * The host refused a delivery that will be tried again. It is well, too; but
     * where it failed only just now, what waits keeps its pause. Else a host that
     * fails over one delivery and refuses two others would get all of them again
     * and again, without end: each refusal would release the other two.
     */
    noteRefusal: async (host: string) => {
      const { failingSince } = await findHostHealth(db.read, host);
      if (failingSince === null) return;
      const failingForMs = clock.now().getTime() - Date.parse(failingSince);
      if (failingForMs >= probePause(0)) await release(host);
      else await db.transaction((tx) => clearFailures(tx, host));
    },
    /**
     * A valid message came from the host, so it lives. One delivery tries at once
     * whether it can be reached, too; if so, the others follow.
     */
    noteSignOfLife: async (tx: Tx, host: string) => {
      const { failingSince } = await findHostHealth(tx, host);
      if (failingSince !== null) await jobs.releaseHost(tx, host, "next");
    },
    /** The same, of a message that was found valid by the worker. */
    noteLateSignOfLife: async (host: string) => {
      const { failingSince } = await findHostHealth(db.read, host);
      if (failingSince === null) return;
      await db.transaction((tx) => jobs.releaseHost(tx, host, "next"));
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
}: HostsDeps): JobHandler<{ host: string }> {
  return async ({ host }) => {
    const { failingSince } = await findHostHealth(db.read, host);
    if (failingSince === null) return DONE;
    if (await answers(fetch, host))
      await db.transaction((tx) => jobs.releaseHost(tx, host, "next"));
    const failingForMs = clock.now().getTime() - Date.parse(failingSince);
    if (failingForMs > GIVE_UP_PROBING_AFTER_MS) {
      await db.transaction((tx) => clearFailures(tx, host));
      return { kind: "give_up", reason: "No answer for a month" };
    }
    const afterMs = probePause(failingForMs);
    return { kind: "again", afterMs };
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
    return status < 500;
  } catch {
    return false;
  }
}
