import { withParents } from "../../lib/host-name.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** The policy of a host and all of its subdomains. */
export type HostPolicy = {
  /** Normalized, without a port. */
  readonly host: string;
  /** No federation with it; its people are hidden from everyone. */
  readonly blocked: boolean;
  /** The public posts of its people are only listed for their contacts. */
  readonly silenced: boolean;
  /** Its images are not shown. */
  readonly mediaRejected: boolean;
  /** On a server that federates with allowed hosts only: this host is allowed. */
  readonly allowed: boolean;
  /** The reason, for moderators and admins. */
  readonly reason: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** The effect of the policies on a person or a host. */
export type Verdict = {
  readonly shutOut: boolean;
  readonly silenced: boolean;
  readonly mediaRejected: boolean;
};

export const WELCOME: Verdict = {
  shutOut: false,
  silenced: false,
  mediaRejected: false,
};

export type PoliciesByHost = ReadonlyMap<string, HostPolicy>;

export function byHostOf(policies: readonly HostPolicy[]): PoliciesByHost {
  return new Map(policies.map((policy) => [policy.host, policy]));
}

/**
 * Combines the policies of all hosts that a person depends on: the strictest policy of each
 * host and its parent domains applies.
 * @param onlyAllowed whether hosts that are not allowed are blocked
 */
export function judge(
  policies: PoliciesByHost,
  hosts: readonly string[],
  onlyAllowed: boolean,
): Verdict {
  let verdict = WELCOME;
  for (const host of hosts) {
    const found = withParents(host).flatMap((name) => policies.get(name) ?? []);
    const has = (what: "allowed" | "blocked" | "silenced" | "mediaRejected") =>
      found.some((policy) => policy[what]);
    verdict = {
      shutOut:
        verdict.shutOut || has("blocked") || (onlyAllowed && !has("allowed")),
      silenced: verdict.silenced || has("silenced"),
      mediaRejected: verdict.mediaRejected || has("mediaRejected"),
    };
  }
  return verdict;
}
