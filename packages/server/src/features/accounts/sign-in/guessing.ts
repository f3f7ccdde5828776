import { createHash } from "node:crypto";
import type { Limit, Limits } from "../../../lib/limits/limits.ts";
import type { Share } from "../../../lib/limits/rate-limit.ts";
import { canonicalUsername } from "../account.ts";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** The limits on wrong guesses. */
type Shares = {
  /** Names the limit. */
  readonly name: string;
  /** For one name from one address: people mistype, or try to remember. */
  readonly fromAddress: Share;
  readonly fromAddressInADay: Share;
  /** From one address, for any names: households and schools share one. */
  readonly ofAddress: Share;
  /** For one name, from all addresses that never gave the right password or code. */
  readonly ofStrangers: Share;
  /** A further allowance for such addresses, all together. */
  readonly ofStrangersLater: Share;
};

const PASSWORDS: Shares = {
  name: "password",
  fromAddress: { max: 20, windowMs: 15 * MINUTE_MS },
  fromAddressInADay: { max: 100, windowMs: DAY_MS },
  ofAddress: { max: 300, windowMs: 15 * MINUTE_MS },
  ofStrangers: { max: 100, windowMs: DAY_MS },
  ofStrangersLater: { max: 1, windowMs: 2 * MINUTE_MS },
};

/**
 * Three of a million codes are valid at any time, and only a user who knows the password
 * can try.
 */
export const CODES: Shares = {
  name: "codes",
  fromAddress: { max: 10, windowMs: 15 * MINUTE_MS },
  fromAddressInADay: { max: 50, windowMs: DAY_MS },
  ofAddress: { max: 100, windowMs: 15 * MINUTE_MS },
  ofStrangers: { max: 50, windowMs: DAY_MS },
  ofStrangersLater: { max: 1, windowMs: 30 * MINUTE_MS },
};

/**
 * Counted separately, so that an attacker who exhausts the limit for codes leaves this way
 * open to the owner; guessing a recovery code is hopeless.
 */
export const RECOVERY_CODES: Shares = {
  ...CODES,
  ofStrangers: { max: 10_000, windowMs: DAY_MS },
};

/** One attempt. It counts as wrong until it succeeds. */
export type Attempt = { readonly succeed: () => void };

/** Makes guessing hopeless without locking out users who know the right password or code. */
export type Guessing = {
  /**
   * Counts the attempt before it is checked, so that concurrent attempts gain nothing over
   * sequential ones. Unknown names count like any other.
   * @param from the source network; attempts without one, such as commands, are not
   *   counted
   * @throws {KithError} `too_many_requests`
   */
  readonly begin: (username: string, from: string | undefined) => Attempt;
  /** Marks the network as usual for the account: the password was chosen there. */
  readonly noteHome: (username: string, from: string) => void;
};

export function createGuessing(
  limits: Limits,
  shares: Shares = PASSWORDS,
): Guessing {
  const limit = (by: string, share: Share) =>
    limits.create(shares.name, by, share);
  const pair = limit("account_and_address", shares.fromAddress);
  const pairInADay = limit("account_and_address", shares.fromAddressInADay);
  const address = limit("address", shares.ofAddress);
  const strangers = limit("account", shares.ofStrangers);
  const strangersLater = limit("account", shares.ofStrangersLater);
  const usual = createUsualNetworks();

  /**
   * An account's usual network is not locked out by others' attempts, from there or from
   * other networks.
   */
  function sharesOf(name: string, from: string): [Limit, string][] {
    const both = `${name} ${from}`;
    const own: [Limit, string][] = [
      [pair, both],
      [pairInADay, both],
    ];
    if (usual.has(name, from)) return own;
    const ofName = strangers.isSpent(name) ? strangersLater : strangers;
    return [...own, [address, from], [ofName, name]];
  }

  return {
    noteHome: (username, from) => usual.note(keyOf(username), from),
    begin: (username, from) => {
      if (from === undefined) return { succeed: () => {} };
      const name = keyOf(username);
      const shares = sharesOf(name, from);
      takeAll(shares);
      return {
        succeed: () => {
          for (const [taken, key] of shares) taken.giveBack(key);
          pair.forget(`${name} ${from}`);
          usual.note(name, from);
        },
      };
    },
  };
}

/** Takes from all limits, or from none. */
function takeAll(shares: readonly (readonly [Limit, string])[]): void {
  for (const [index, [limit, key]] of shares.entries()) {
    if (limit.take(key)) continue;
    for (const [taken, of] of shares.slice(0, index)) taken.giveBack(of);
    throw limit.refuse(key);
  }
}

/** Bounds the key: a name may be as long as a request body. */
function keyOf(username: string): string {
  const name = canonicalUsername(username);
  return createHash("sha256").update(name).digest("base64url").slice(0, 22);
}

const MAX_ACCOUNTS = 10_000;
const MAX_NETWORKS_EACH = 8;

/**
 * The networks of the last successful sign-ins of each account. In memory: after a restart
 * no network is usual, and no guesses have been counted.
 */
function createUsualNetworks() {
  const accounts = createLruCache<string, readonly string[]>({
    max: MAX_ACCOUNTS,
  });
  return {
    has: (name: string, from: string): boolean =>
      accounts.get(name)?.includes(from) ?? false,
    note: (name: string, from: string): void => {
      const others = accounts.get(name)?.filter((one) => one !== from) ?? [];
      accounts.set(name, [from, ...others].slice(0, MAX_NETWORKS_EACH));
    },
  };
}
