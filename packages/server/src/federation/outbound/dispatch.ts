import { createHash } from "node:crypto";
import type { Db, Tx } from "../../db/db.ts";
import type { PersonId } from "../../features/ids.ts";
import type { EnqueueOptions } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { DELIVER } from "../delivery/deliver.ts";
import { probeLane } from "../delivery/host-health.ts";
import { listInboxHealth, type InboxHealth } from "../delivery/inbox-health.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { Dispatch, Order } from "./outgoing.ts";

/** Enqueues rendered documents: all of them, or none. */
export type Dispatcher = (dispatches: readonly Dispatch[]) => Promise<void>;

export type DispatchDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
};

export function createDispatcher(deps: DispatchDeps): Dispatcher {
  return async (dispatches) => {
    const filled = dispatches.filter(({ deliveries }) => deliveries.length > 0);
    if (filled.length === 0) return;
    await deps.db.transaction((tx) => putInQueue(deps, tx, filled));
  };
}

/** Enqueue them within the caller's own transaction. */
export async function putInQueue(
  deps: DispatchDeps,
  tx: Tx,
  dispatches: readonly Dispatch[],
): Promise<void> {
  const urls = dispatches.flatMap(({ deliveries }) =>
    deliveries.map(({ url }) => url),
  );
  const standing = await listInboxHealth(deps, tx, urls);
  const origins = new Set<string>();
  for (const { document, deliveries, order, ...about } of dispatches) {
    const { postId } = about;
    const wanted = deliveries.filter(({ url }) => !standing.isGone(url));
    if (wanted.length === 0) continue;
    for (const { url } of wanted) origins.add(new URL(url).origin);
    const documentId = await deps.jobs.addDocument(tx, document, postId);
    if (order.isLast === true) await withdrawAllBut(deps, tx, wanted);
    const bySender = Map.groupBy(wanted, (one) => one.senderUserId);
    for (const [sender, ofSender] of bySender) {
      const many = ofSender.map((one) => ({
        payload: { ...toPayload(one), ...about },
        options: { documentId, ...toOptions(one, order, standing) },
        goesLast: isSlowOrFailing(deps, standing, one),
      }));
      // The server's own messages share one fair turn as well.
      await deps.jobs.enqueueAll(tx, DELIVER, sender ?? 0, many);
    }
  }
  await scheduleProbes(deps, tx, origins, standing);
}

/**
 * After a departure, withdraw the person's pending messages: they would recreate the account at the
 * recipient. Retractions, and messages that hide content, are still sent.
 */
async function withdrawAllBut(
  { jobs }: DispatchDeps,
  tx: Tx,
  deliveries: readonly Delivery[],
): Promise<void> {
  const hosts = [...new Set(deliveries.map(({ url }) => new URL(url).origin))];
  const senders = new Set(deliveries.flatMap((one) => one.senderUserId ?? []));
  for (const value of senders) {
    const saying = { name: "senderUserId", value };
    const which = { kind: DELIVER.name, hosts, saying };
    const reason = "Its author is gone";
    await jobs.withdraw(tx, { ...which, butSaying: "evenSuspended" }, reason);
  }
}

/** The inbox may accept a new message although it refused all pending ones. */
async function scheduleProbes(
  { jobs, clock }: DispatchDeps,
  tx: Tx,
  hosts: ReadonlySet<string>,
  standing: InboxHealth,
): Promise<void> {
  const now = clock.now();
  // Lock in a fixed order, so that two transactions probing the same hosts wait instead of
  // deadlocking.
  for (const host of [...hosts].sort()) {
    const at = standing.probeAt(host);
    if (!at) continue;
    await jobs.hurryLane(tx, probeLane(host), at > now ? at : now);
  }
}

/** Healthy hosts do not wait for the deliveries to others. */
function isSlowOrFailing(
  { jobs }: DispatchDeps,
  standing: InboxHealth,
  { url }: Delivery,
): boolean {
  const host = new URL(url).origin;
  return standing.isFailing(host) || jobs.speeds.isSlow(host);
}

function toPayload({ place: _, ...payload }: Delivery) {
  return payload;
}

function toOptions(
  { place, url }: Delivery,
  order: Order,
  standing: InboxHealth,
): EnqueueOptions {
  const { about, after, relationOf, afterRelationsOf } = order;
  const host = new URL(url).origin;
  const runAt = standing.heldUntil(host);
  const follows =
    after === undefined
      ? afterRelationsOf && bandOf(afterRelationsOf, place)
      : laneOf(after, place);
  return {
    lane: laneOf(about, place),
    host,
    ...(follows !== undefined && { follows }),
    ...(relationOf !== undefined && { band: bandOf(relationOf, place) }),
    ...(runAt && { runAt }),
  };
}

/** Longer keys, which other servers may make up, do not fit into an index. */
const MAX_KEY = 500;

function laneOf(about: string, place: string): string {
  return toKey(`deliver:${place} ${about}`);
}

/** Migration 40 writes the same keys for the jobs that were pending before it. */
function bandOf(personId: PersonId, place: string): string {
  return toKey(`deliver:${personId}>${place}`);
}

function toKey(name: string): string {
  if (Buffer.byteLength(name) <= MAX_KEY) return name;
  return `deliver:${createHash("sha256").update(name).digest("base64url")}`;
}
