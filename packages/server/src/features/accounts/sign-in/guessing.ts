import { createHash } from "node:crypto";
import type { Limit, Limits } from "../../../lib/limits/limits.ts";
import type { Share } from "../../../lib/limits/rate-limit.ts";
import { canonicalUsername } from "../account.ts";
import { createLruCache } from "../../../lib/caching/lru-cache.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** How many wrong ones are let through. */
type Shares = {
  /** Names the limit. */
  readonly name: string;
  /** For one name from one address: people mistype, and ask their memory. */
  readonly fromAddress: Share;
  readonly fromAddressInADay: Share;
  /** From one address, for whatever names: houses and schools share one. */
  readonly ofAddress: Share;
  /** For one name from all addresses that never knew the right one. */
  readonly ofStrangers: Share;
  /** What such addresses may try above that, all together. */
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

/** Of a million codes three count at any moment, and only who knows the password gets to try. */
export const CODES: Shares = {
  name: "codes",
  fromAddress: { max: 10, windowMs: 15 * MINUTE_MS },
  fromAddressInADay: { max: 50, windowMs: DAY_MS },
  ofAddress: { max: 100, windowMs: 15 * MINUTE_MS },
  ofStrangers: { max: 50, windowMs: DAY_MS },
  ofStrangersLater: { max: 1, windowMs: 30 * MINUTE_MS },
};

/** Counted apart, so that whoever spends the share of codes leaves this way to the owner; to guess one is hopeless. */
export const RECOVERY_CODES: Shares = {
  ...CODES,
  ofStrangers: { max: 10_000, windowMs: DAY_MS },
};

/** One look at what was given. It counts as wrong until it is known to be right. */
export type Attempt = { readonly succeed: () => void };

/** Makes guessing hopeless, and keeps nobody out who knows the right one. */
export type Guessing = {
  /**
   * Counts before what was given is looked at: many at once are no more than one
   * after another. Names that nobody has count like any other.
   * @param from the network it comes from; what has none, such as a command, is not counted
   * @throws {KithError} `too_many_requests`
   */
  readonly begin: (username: string, from: string | undefined) => Attempt;
  /** It was chosen there. */
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

  /** Whoever is at home there is not kept out by what others do, neither there nor elsewhere. */
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

/** All, or none. */
function takeAll(shares: readonly (readonly [Limit, string])[]): void {
  for (const [index, [limit, key]] of shares.entries()) {
    if (limit.take(key)) continue;
    for (const [taken, of] of shares.slice(0, index)) taken.giveBack(of);
    throw limit.refuse(key);
  }
}

/** A name may be as long as a body. */
function keyOf(username: string): string {
  const name = canonicalUsername(username);
  return createHash("sha256").update(name).digest("base64url").slice(0, 22);
}

const MAX_ACCOUNTS = 10_000;
const MAX_NETWORKS_EACH = 8;

/**
 * From where accounts were signed in to with the right password, the last of each.
 * In memory: after a restart nobody is at home anywhere, and nobody has guessed yet.
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
