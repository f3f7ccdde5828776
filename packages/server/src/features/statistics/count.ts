import type { Db } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { startOf, type Counted } from "./spans.ts";
import {
  addHostDeliveries,
  addStatistics,
  type HostDeliveries,
} from "./statistics-store.ts";

export type CountDeps = { readonly db: Db; readonly clock: Clock };

/** How long counts stay in memory, while more are counted. */
const EVERY_MS = 60_000;

/**
 * Counts in memory what happens, and adds it to the current hour about once a minute. A process
 * that is killed loses the counts of that minute.
 */
export function createCount({ db, clock }: CountDeps) {
  let counts = new Map<Counted, number>();
  let hosts = new Map<string, HostDeliveries>();
  let storedAtMs = performance.now();
  let storing: Promise<void> = Promise.resolve();

  const add = (name: Counted, by = 1) =>
    void counts.set(name, (counts.get(name) ?? 0) + by);

  const store = async () => {
    storedAtMs = performance.now();
    const some = counts;
    const of = hosts;
    if (some.size === 0) return;
    counts = new Map();
    hosts = new Map();
    const at = timestamp(startOf("hour", clock.now()));
    const rows = [...some].toSorted(byName).map(([name, value]) => ({
      ...({ name, span: "hour", at, value } as const),
    }));
    const day = at.slice(0, "YYYY-MM-DD".length);
    const named = [...of.values()].toSorted((one, other) =>
      one.host < other.host ? -1 : 1,
    );
    try {
      // In one order, or two processes could wait for each other.
      await db.transaction(async (tx) => {
        await addStatistics(tx, rows);
        await addHostDeliveries(tx, day, named);
      });
    } catch (error) {
      for (const [name, value] of some) add(name, value);
      for (const one of named)
        hosts.set(one.host, sum(hosts.get(one.host), one));
      throw error;
    }
  };
  /** One after the other. */
  const flush = () => (storing = storing.catch(() => {}).then(store));
  const storeInTime = () => {
    // The counts of a failure are kept, and tried again later.
    if (performance.now() - storedAtMs >= EVERY_MS)
      void flush().catch(() => {});
  };
  return {
    count: (name: Counted) => {
      add(name);
      storeInTime();
    },
    countDelivery: (host: string, isDelivered: boolean) => {
      add(isDelivered ? "delivered" : "failed");
      const delivered = isDelivered ? 1 : 0;
      const one = { host, delivered, failed: 1 - delivered };
      hosts.set(host, sum(hosts.get(host), one));
      storeInTime();
    },
    /** Stores the counts. */
    flush,
    /** Stores the counts at the end, which does not fail for them. */
    stop: () => flush().catch(() => {}),
  };
}

function byName(
  [one]: readonly [string, number],
  [other]: readonly [string, number],
) {
  return one < other ? -1 : 1;
}

function sum(
  known: HostDeliveries | undefined,
  { host, delivered, failed }: HostDeliveries,
): HostDeliveries {
  return {
    host,
    delivered: delivered + (known?.delivered ?? 0),
    failed: failed + (known?.failed ?? 0),
  };
}
