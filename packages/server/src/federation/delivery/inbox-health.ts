import type { Db, Tx } from "../../db/db.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { listGoneAmong } from "./gone-inbox-store.ts";
import { listHealthOf } from "./host-store.ts";
import { GONE_FOR_MS, isGivenUp, PROBE_SOON_MS } from "./schedule.ts";

/** The health of the inboxes of a delivery. */
export type InboxHealth = {
  /** Skip this inbox, because it is gone or its host was given up? */
  readonly isGone: (url: string) => boolean;
  /** Did the last delivery to this host, named by its origin, fail? */
  readonly isFailing: (host: string) => boolean;
  /** Until when deliveries to this host, named by its origin, are held. */
  readonly heldUntil: (host: string) => Date | undefined;
  /**
   * When to probe a held host that answers probes: it may accept new
   * deliveries.
   */
  readonly probeAt: (host: string) => Date | undefined;
};

/**
 * Runs in the transaction that enqueues the deliveries, so that none is held
 * whose host was just released.
 */
export async function listInboxHealth(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  tx: Tx,
  urls: readonly string[],
): Promise<InboxHealth> {
  const now = clock.now();
  const since = timestamp(later(now, -GONE_FOR_MS));
  const hosts = new Set(urls.map((url) => new URL(url).origin));
  const health = await listHealthOf(db, tx, [...hosts]);
  // Each gone inbox has left a row for its host.
  const gone =
    health.length > 0
      ? await listGoneAmong(db, tx, urls, since)
      : new Set<string>();
  const byHost = new Map(health.map((one) => [one.host, one]));
  return {
    isGone: (url) => {
      const known = byHost.get(new URL(url).origin);
      return known !== undefined && (gone.has(url) || isGivenUp(known, now));
    },
    isFailing: (host) => byHost.get(host)?.failingSince != null,
    heldUntil: (host) => {
      const until = byHost.get(host)?.heldUntil;
      return until == null ? undefined : new Date(until);
    },
    probeAt: (host) => {
      const known = byHost.get(host);
      if (known?.heldUntil == null || !known.answers) return undefined;
      return later(new Date(known.updatedAt), PROBE_SOON_MS);
    },
  };
}
