import type { Db } from "../../../db/db.ts";
import { jobKind } from "../../../jobs/job.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import { newGuid } from "../../../lib/guids.ts";
import { createTtlCache } from "../../../lib/caching/ttl-cache.ts";
import type { Audit, Doer } from "../../../features/audit/index.ts";
import type { RelayList } from "../../../features/relays/index.ts";
import {
  deleteRelay,
  insertRelay,
  listRelays,
  updateRelay,
  type Relay,
} from "./relay-store.ts";

/** The job that subscribes to a relay. */
export const FOLLOW_RELAY = jobKind<{ readonly relayId: number }>(
  "follow-relay",
  { maxAttempts: 10 },
);

/** The job that ends the subscription to a relay whose row is deleted already. */
export const LEAVE_RELAY = jobKind<{ readonly relay: Relay }>("leave-relay");

export type RelaysDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly audit: Audit;
};

/** The address of a relay's inbox or actor in normal form; undefined if it is none. */
function readUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.username === ""
    ? url.href
    : undefined;
}

function kindOf(url: string): Relay["kind"] {
  return new URL(url).pathname.endsWith("/inbox") ? "inbox" : "actor";
}

/** Other processes see a change after this time at the latest. */
const CACHE_MS = 5_000;

/** The relays that this server subscribes to. */
export type Relays = ReturnType<typeof createRelays>;

export function createRelays({ db, clock, jobs, audit }: RelaysDeps) {
  const kept = createTtlCache(clock, CACHE_MS, () => listRelays(db.read));

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
    /** Those that accepted the subscription. */
    listAccepted,
    /** Is this the actor of a relay that accepted the subscription? */
    isSubscribed: async (actorUri: string): Promise<boolean> =>
      (await listAccepted()).some((relay) => relay.actorUri === actorUri),
    /** The relay that was sent the Follow with this Guid. */
    findByFollow: async (followGuid: string): Promise<Relay | undefined> =>
      (await listRelays(db.read)).find(
        (relay) => relay.followGuid === followGuid,
      ),
    find: async (id: number): Promise<Relay | undefined> =>
      (await listRelays(db.read)).find((relay) => relay.id === id),
    readUrl,
    /** @returns false if it is listed already */
    add: async (by: Doer, url: string): Promise<boolean> => {
      if (await isListed(url)) return false;
      return change(async (tx) => {
        const now = timestamp(clock.now());
        const kind = kindOf(url);
        const inboxUri = kind === "inbox" ? url : null;
        const relay = { url, kind, inboxUri, followGuid: newGuid() };
        const relayId = await insertRelay(tx, relay, now);
        if (relayId === undefined) return false;
        await jobs.enqueue(tx, FOLLOW_RELAY, { relayId });
        await audit.recordAct(tx, { by, action: "relay.add", target: url });
        return true;
      });
    },
    /** @returns false if none has that address */
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
    /** Records its answer. */
    note: (
      { id }: Relay,
      known: Partial<Pick<Relay, "state" | "actorUri" | "inboxUri">>,
    ): Promise<void> =>
      change((tx) => updateRelay(tx, id, known, timestamp(clock.now()))),
  } satisfies RelayList & Record<string, unknown>;
}
