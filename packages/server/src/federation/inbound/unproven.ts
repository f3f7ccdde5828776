import type { Clock } from "../../lib/clock.ts";
import type { Limits } from "../../lib/limits.ts";

/** Messages and requests from one address that cannot be read, or whose signature is wrong. */
const UNPROVEN = { max: 5_000, windowMs: 10_000 };
/** Those whose signer has to be looked up elsewhere first, and turns out to be nobody. */
const LOOK_UPS = { max: 1_200, windowMs: 60_000 };
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
};

export function createUnproven({
  limits,
  clock,
}: {
  readonly limits: Limits;
  readonly clock: Clock;
}): Unproven {
  const unproven = limits.create("message", "address", UNPROVEN);
  const lookUps = limits.create("look_up", "address", LOOK_UPS);
  const proven = new Map<string, number>();
  const now = () => clock.now().getTime();

  function noteProven(network: string): void {
    proven.delete(network);
    proven.set(network, now());
    const [oldest] = proven.keys();
    if (proven.size > MAX_PROVEN && oldest !== undefined) proven.delete(oldest);
  }

  return {
    begin: (network) => {
      const isProven = now() - (proven.get(network) ?? -Infinity) < PROVEN_MS;
      if (!isProven && unproven.isSpent(network))
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
