import type { Db, Tx } from "../../db/db.ts";
import {
  later,
  timestamp,
  type Clock,
  type Timestamp,
} from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { SignatureFailureLimiter } from "./signature-failure-limiter.ts";
import {
  deleteKnownNetworks,
  deleteUnproven,
  deleteUnprovenBefore,
  findWaiting,
  insertUnproven,
  isKnownNetwork,
  saveKnownNetwork,
  type Amount,
  type Origin,
} from "./unproven-store.ts";

type Bounds = Readonly<Record<"network" | "recipient" | "all", Amount>>;

const MIB = 1024 * 1024;

/**
 * Limits of messages whose sender is not known yet. Usually almost none wait:
 * the limits are reached if the worker is down, or by a flood. Messages above
 * them are refused before they are stored, and are retried by their servers.
 */
const STRANGERS: Bounds = {
  network: { messages: 1_000, bytes: 32 * MIB },
  // More than one network can use up.
  recipient: { messages: 4_000, bytes: 128 * MIB },
  all: { messages: 10_000, bytes: 256 * MIB },
};
/**
 * Counted separately, so that strangers do not use up the room of followed
 * people.
 */
const KNOWN: Bounds = {
  network: { messages: 10_000, bytes: 128 * MIB },
  recipient: { messages: 20_000, bytes: 256 * MIB },
  all: { messages: 20_000, bytes: 512 * MIB },
};

const KNOWN_MS = 30 * 24 * 3_600_000;
/** How often a known network is recorded again. */
const RENEW_KNOWN_MS = 3_600_000;
const MAX_KNOWN = 10_000;
const RETRY_AFTER_S = 60;

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly unproven?: Pick<SignatureFailureLimiter, "settle">;
};

/** Limits stored messages until their senders are known. */
export type UnprovenMessages = ReturnType<typeof createUnprovenMessages>;

export function createUnprovenMessages({ db, clock, unproven }: Deps) {
  const ago = (ms: number) => timestamp(later(clock.now(), -ms));
  return {
    isKnownNetwork: (network: string): Promise<boolean> =>
      isKnownNetwork(db.read, network, ago(KNOWN_MS)),
    /**
     * @throws {KithError} if too many wait. Concurrent requests may all get the
     *   last place
     */
    refuseAbove: (tx: Tx, origin: Origin, bytes: number) =>
      refuseAbove(tx, origin, bytes),
    note: (tx: Tx, messageId: number, origin: Origin, bytes: number) =>
      insertUnproven(tx, messageId, origin, bytes, timestamp(clock.now())),
    /**
     * Records that the sender is known. Idempotent.
     * @param isWanted does a local user follow the sender? Anyone can prove
     *   some identity
     */
    prove: async (messageId: number, isWanted: boolean): Promise<void> => {
      const network = await db.transaction(async (tx) => {
        const from = await deleteUnproven(tx, messageId);
        if (from !== undefined && isWanted)
          await saveKnownNetwork(
            tx,
            from,
            timestamp(clock.now()),
            ago(RENEW_KNOWN_MS),
          );
        return from;
      });
      if (network !== undefined) unproven?.settle(network, true);
    },
    end: deleteUnproven,
    noteFailed: (network: string) => unproven?.settle(network, false),
    forget: async (tx: Tx, before: Timestamp): Promise<void> => {
      await deleteUnprovenBefore(tx, before);
      await deleteKnownNetworks(tx, ago(KNOWN_MS), MAX_KNOWN);
    },
  };
}

async function refuseAbove(
  tx: Tx,
  origin: Origin,
  bytes: number,
): Promise<void> {
  const bounds = origin.isKnown ? KNOWN : STRANGERS;
  const waiting = await findWaiting(tx, origin);
  const isFull = (of: keyof Bounds) =>
    waiting[of].messages >= bounds[of].messages ||
    waiting[of].bytes + bytes > bounds[of].bytes;
  const again = { retryAfterS: RETRY_AFTER_S };
  if (isFull("network"))
    throw new KithError("too_many_requests", "Too much is unproven.", again);
  if (isFull("recipient") || isFull("all"))
    throw new KithError("unavailable", "Too much is unproven.", again);
}
