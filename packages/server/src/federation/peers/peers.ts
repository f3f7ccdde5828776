import type { Db } from "../../db/db.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { createLruCache, type LruCache } from "../../lib/caching/lru-cache.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { GuardedFetch } from "../../lib/http-client/guarded-fetch.ts";
import {
  findPeer,
  forgetOldPeers,
  saveSignatureForm,
  saveSoftware,
  type Peer,
} from "./peer-store.ts";
import { readSoftware } from "./read-nodeinfo.ts";

/** The job that asks another server for its software. */
export const LEARN_PEER = jobKind<{ origin: string }>("learn-peer");

/**
 * How a request is signed: draft-cavage over all headers that peers check, over
 * the minimum, or RFC 9421.
 */
export const SIGNATURE_FORMS = ["cavage", "cavage-least", "rfc9421"] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

export type PeersDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
};

/**
 * The software of other servers, and the signatures that they accept. Security
 * never depends on it: the software is only a claim.
 */
export type Peers = ReturnType<typeof createPeers>;

/**
 * A peer as read from the database, for a minute; `isAsked`: a request for its
 * software is pending.
 */
type Cached = Peer & { isAsked: boolean };
type Cache = LruCache<string, Cached>;

const LEARN_AGAIN_AFTER_MS = 7 * 24 * 3_600_000;
/** Active peers are asked again long before. */
const FORGOTTEN_AFTER_MS = 90 * 24 * 3_600_000;
const FORM_KEPT_MS = 24 * 3_600_000;
const CACHED_MS = 60_000;
const MAX_CACHED = 10_000;

export function createPeers(deps: PeersDeps) {
  const { db, jobs, clock } = deps;
  const cache: Cache = createLruCache({
    ...{ max: MAX_CACHED, keepMs: CACHED_MS, clock },
  });
  const nowMs = () => clock.now().getTime();

  async function find(origin: string): Promise<Cached> {
    const cached = cache.get(origin);
    if (cached) return cached;
    const peer = await findPeer(db.read, origin);
    const found = { ...peer, isAsked: false };
    cache.set(origin, found);
    return found;
  }

  return {
    /**
     * The software name in a server's NodeInfo. If it is outdated, a job asks
     * again.
     */
    softwareOf: async (origin: string): Promise<string | null> => {
      const peer = await find(origin);
      const { software, learnedAt } = peer;
      const isOld =
        learnedAt === null ||
        nowMs() - Date.parse(learnedAt) > LEARN_AGAIN_AFTER_MS;
      const asksNow = isOld && !peer.isAsked;
      peer.isAsked ||= isOld;
      if (asksNow)
        await db.transaction((tx) =>
          jobs.enqueueOnce(
            tx,
            LEARN_PEER,
            { origin },
            { lane: `learn:${origin}` },
          ),
        );
      return software;
    },
    /** The form of signature that the server accepted last, for a day. */
    signatureFormOf: async (origin: string): Promise<SignatureForm> => {
      const { signatureForm, signatureFormAt } = await find(origin);
      const ageMs = nowMs() - Date.parse(signatureFormAt ?? "");
      const known = SIGNATURE_FORMS.find((form) => form === signatureForm);
      return known !== undefined && ageMs < FORM_KEPT_MS ? known : "cavage";
    },
    noteSignatureForm: async (origin: string, form: SignatureForm) => {
      const now = timestamp(clock.now());
      await db.transaction((tx) => saveSignatureForm(tx, origin, form, now));
      cache.delete(origin);
    },
    learn: createLearn(deps, cache),
  };
}

function createLearn(
  { db, clock, fetch }: PeersDeps,
  cache: Cache,
): JobHandler<{ origin: string }> {
  return async ({ origin }) => {
    const software = await readSoftware(fetch, origin);
    const now = clock.now();
    await db.transaction(async (tx) => {
      await saveSoftware(tx, origin, software, timestamp(now));
      await forgetOldPeers(tx, timestamp(later(now, -FORGOTTEN_AFTER_MS)));
    });
    cache.delete(origin);
    return DONE;
  };
}
