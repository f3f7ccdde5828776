import { withParents } from "../../lib/http-client/host-name.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** What was decided of one host, and with it of all below it. */
export type HostPolicy = {
  /** Normalised, without a port. */
  readonly host: string;
  /** Nothing is exchanged with it, and its people are shown to nobody. */
  readonly blocked: boolean;
  /** The public posts of its people are for those who know them. */
  readonly silenced: boolean;
  /** No pictures of it are shown. */
  readonly mediaRejected: boolean;
  /** Where only some hosts may take part: it may. */
  readonly allowed: boolean;
  /** Why; for those who run this server. */
  readonly reason: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** What the policies come to for somebody, or for a host. */
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
 * What holds where somebody has to do with all of these hosts: the strictest of
 * the policies of each of them and of what it is below.
 * @param onlyAllowed whether a host that nobody has allowed is shut out
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
