import type { Clock } from "../../lib/time/clock.ts";
import type { Limits } from "../../lib/limits/limits.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";

/** Messages and requests from one address that cannot be read, or whose signature is wrong. */
const UNPROVEN = { max: 5_000, windowMs: 10_000 };
/** Those whose signer has to be looked up elsewhere first, and turns out to be nobody. */
const LOOK_UPS = { max: 1_200, windowMs: 60_000 };
/** Encrypted messages that nobody can read or has signed: to find that out costs as much as signing. */
const ENCRYPTED = { max: 1_000, windowMs: 10_000 };
/** For how long an address that proved something is let in, whatever fails besides. */
const PROVEN_MS = 600_000;
const MAX_PROVEN = 10_000;

/** One message, from its arrival until it is known who sent it. */
export type Proving = {
  /** Another server has to be asked first. @throws {KithError} `too_many_requests` */
  readonly lookUp: () => void;
  readonly fail: () => void;
  readonly succeed: () => void;
};

/**
 * Limits what strangers make us check and look up, by address. Whoever proves who
 * it is may send as much as it likes, also while others at its address fail.
 */
export type Unproven = {
  /** @throws {KithError} `too_many_requests` for an address that had its share and proved nothing */
  readonly begin: (network: string) => Proving;
  /**
   * The same for an encrypted message, of which only the worker finds out who sent it.
   * @param isKnown has its network sent what people here want? Then it is not refused
   * @throws {KithError} `too_many_requests`
   */
  readonly beginEncrypted: (
    network: string,
    isKnown: () => Promise<boolean>,
  ) => Promise<Pick<Proving, "fail">>;
  /** What the worker found out of an encrypted message. */
  readonly settle: (network: string, isProven: boolean) => void;
};

export function createUnproven({
  limits,
  clock,
}: {
  readonly limits: Limits;
  readonly clock: Clock;
}): Unproven {
  const unproven = limits.create("message", "address", UNPROVEN);
  const encrypted = limits.create("encrypted", "address", ENCRYPTED);
  const lookUps = limits.create("look_up", "address", LOOK_UPS);
  const proven = createLruCache<string, true>({
    ...{ max: MAX_PROVEN, keepMs: PROVEN_MS, clock },
  });
  const isProven = (network: string) => proven.has(network);
  const noteProven = (network: string) => proven.set(network, true);

  return {
    beginEncrypted: async (network, isKnown) => {
      // Whoever has a server can prove something: that does not pay for decrypting.
      const limits = isProven(network) ? [encrypted] : [encrypted, unproven];
      const spent = limits.find((limit) => limit.isSpent(network));
      if (spent && !(await isKnown())) throw spent.refuse(network);
      return { fail: () => void unproven.take(network) };
    },
    settle: (network, isNowProven) => {
      if (isNowProven) noteProven(network);
      else encrypted.take(network);
    },
    begin: (network) => {
      if (!isProven(network) && unproven.isSpent(network))
        throw unproven.refuse(network);
      let isLookedUp = false;
      return {
        lookUp: () => {
          if (!lookUps.take(network)) throw lookUps.refuse(network);
          isLookedUp = true;
        },
        fail: () => void unproven.take(network),
        succeed: () => {
          if (isLookedUp) lookUps.giveBack(network);
          noteProven(network);
        },
      };
    },
  };
}
