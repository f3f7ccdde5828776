import type { Db } from "../../db/db.ts";
import { jobKind } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { newGuid } from "../../lib/guids.ts";
import { createTtlCache } from "../../lib/caching/ttl-cache.ts";
import type { Audit, Doer } from "../audit/index.ts";
import {
  deleteRelay,
  insertRelay,
  listRelays,
  updateRelay,
  type Relay,
} from "./relay-store.ts";

export type { Relay } from "./relay-store.ts";

/** The job that asks a relay to pass things on. */
export const FOLLOW_RELAY = jobKind<{ readonly relayId: number }>(
  "follow-relay",
  { maxAttempts: 10 },
);

/** The job that tells a relay, which is forgotten here already, that it need not any more. */
export const LEAVE_RELAY = jobKind<{ readonly relay: Relay }>("leave-relay");

export type RelaysDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly audit: Audit;
};

/**
 * Reads the address by which a relay is named: of its inbox, or of its actor.
 * @returns undefined where it is none
 */
export function readRelayUrl(
  text: string,
): { readonly url: string; readonly kind: Relay["kind"] } | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "")
    return undefined;
  const kind = url.pathname.endsWith("/inbox") ? "inbox" : "actor";
  return { url: url.href, kind };
}

/** How long another process may not know of a change. */
const KEEP_MS = 5_000;

/** The relays that this server takes part in. */
export type Relays = ReturnType<typeof createRelays>;

export function createRelays({ db, clock, jobs, audit }: RelaysDeps) {
  const kept = createTtlCache(clock, KEEP_MS, () => listRelays(db.read));

  async function listAccepted(): Promise<Relay[]> {
    return (await kept.get()).filter(({ state }) => state === "accepted");
  }

  async function isListed(url: string): Promise<boolean> {
    return (await listRelays(db.read)).some((relay) => relay.url === url);
  }

  async function change<T>(
    work: Parameters<typeof db.transaction<T>>[0],
  ): Promise<T> {
    const result = await db.transaction(work);
    kept.forget();
    return result;
  }

  return {
    list: (): Promise<Relay[]> => listRelays(db.read),
    /** Those that pass things on now. */
    listAccepted,
    /** Does this actor speak for a relay that passes things on to us? */
    isSubscribed: async (actorUri: string): Promise<boolean> =>
      (await listAccepted()).some((relay) => relay.actorUri === actorUri),
    /** Which one is asked by the Follow with this Guid? */
    findByFollow: async (followGuid: string): Promise<Relay | undefined> =>
      (await listRelays(db.read)).find(
        (relay) => relay.followGuid === followGuid,
      ),
    find: async (id: number): Promise<Relay | undefined> =>
      (await listRelays(db.read)).find((relay) => relay.id === id),
    /** @returns false where it is there already */
    add: async (
      by: Doer,
      url: string,
      kind: Relay["kind"],
    ): Promise<boolean> => {
      if (await isListed(url)) return false;
      return change(async (tx) => {
        const now = timestamp(clock.now());
        const inboxUri = kind === "inbox" ? url : null;
        const relay = { url, kind, inboxUri, followGuid: newGuid() };
        const relayId = await insertRelay(tx, relay, now);
        if (relayId === undefined) return false;
        await jobs.enqueue(tx, FOLLOW_RELAY, { relayId });
        await audit.recordAct(tx, { by, action: "relay.add", target: url });
        return true;
      });
    },
    /** @returns false where there is none of that address */
    remove: async (by: Doer, url: string): Promise<boolean> => {
      if (!(await isListed(url))) return false;
      return change(async (tx) => {
        const relay = (await listRelays(tx)).find((one) => one.url === url);
        if (!relay) return false;
        await deleteRelay(tx, relay.id);
        await jobs.enqueue(tx, LEAVE_RELAY, { relay });
        await audit.recordAct(tx, { by, action: "relay.remove", target: url });
        return true;
      });
    },
    /** Writes down what became known of one. */
    note: (
      { id }: Relay,
      known: Partial<Pick<Relay, "state" | "actorUri" | "inboxUri">>,
    ): Promise<void> =>
      change((tx) => updateRelay(tx, id, known, timestamp(clock.now()))),
  };
}
