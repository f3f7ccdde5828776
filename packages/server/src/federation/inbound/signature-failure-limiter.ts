import type { Clock } from "../../lib/time/clock.ts";
import type { Limits } from "../../lib/limits/limits.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";

/**
 * Messages and requests of one address that cannot be parsed, or have an
 * invalid signature.
 */
const UNPROVEN = { max: 5_000, windowMs: 10_000 };
/**
 * Those whose signer must be looked up on another server, and turns out not to
 * exist.
 */
const LOOK_UPS = { max: 1_200, windowMs: 60_000 };
/**
 * Encrypted messages that cannot be decrypted or authenticated: each costs as
 * much as a signature.
 */
const ENCRYPTED = { max: 1_000, windowMs: 10_000 };
/**
 * For how long an address that authenticated something is exempt, whatever else
 * fails.
 */
const PROVEN_MS = 600_000;
const MAX_PROVEN = 10_000;

/** One message, from its arrival until its sender is known. */
export type VerificationAttempt = {
  /**
   * Counts a look-up on another server. @throws {KithError} `too_many_requests`
   */
  readonly lookUp: () => void;
  readonly fail: () => void;
  readonly succeed: () => void;
};

/**
 * Limits failed verifications and look-ups by address. Authenticated senders
 * are not limited, even if others at their address fail.
 */
export type SignatureFailureLimiter = {
  /**
   * @throws {KithError} `too_many_requests` for an address over its limit
   *   without any proof
   */
  readonly begin: (network: string) => VerificationAttempt;
  /**
   * The same for an encrypted message, whose sender only the worker finds out.
   * @param isKnown does its network send messages of followed people? Then it
   *   is not refused
   * @throws {KithError} `too_many_requests`
   */
  readonly beginEncrypted: (
    network: string,
    isKnown: () => Promise<boolean>,
  ) => Promise<Pick<VerificationAttempt, "fail">>;
  /** Records the result of the worker for an encrypted message. */
  readonly settle: (network: string, isProven: boolean) => void;
};

export function createSignatureFailureLimiter({
  limits,
  clock,
}: {
  readonly limits: Limits;
  readonly clock: Clock;
}): SignatureFailureLimiter {
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
      // Any server can authenticate something: that does not exempt it from the
      // limit of decryption.
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
