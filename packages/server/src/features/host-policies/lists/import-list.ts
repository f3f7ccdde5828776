import type { Reader } from "../../../db/db.ts";
import { normalHost, withParents } from "../../../lib/host-name.ts";
import type { HostPolicy } from "../host-policy.ts";
import type { PolicyChange } from "../host-policy-store.ts";
import {
  countKnown,
  listKnownHosts,
  type KnownOfHost,
  type ListChange,
  type StoredPolicy,
} from "./list-import-store.ts";
import type { LineFault, ListLine } from "./read-list.ts";

/**
 * The outcome of a line. `new` and `stricter` change something; `same`: it is decided so, or
 * more strictly; `own`: it is this server; `allowed`: somebody here allowed it.
 */
export type LineOutcome =
  LineFault | "allowed" | "new" | "own" | "same" | "stricter";

/** A line of a list, and its effect here. */
export type PlannedLine = {
  readonly line: number;
  readonly name: string;
  readonly outcome: LineOutcome;
  /** Absent for a line that changes nothing. */
  readonly change?: ListChange;
  readonly known?: KnownOfHost;
};

const NOTHING: StoredPolicy = {
  ...{ blocked: false, silenced: false, mediaRejected: false },
  ...{ allowed: false, reason: "" },
};

/**
 * Plans the lines of a list. A list makes decisions stricter, and never takes one back.
 * @param ownHost without a port
 */
export function planLines(
  lines: readonly ListLine[],
  policies: ReadonlyMap<string, HostPolicy>,
  ownHost: string | undefined,
): PlannedLine[] {
  return lines.map((line) => {
    const { line: number, name } = line;
    const about = { line: number, name };
    if ("fault" in line) return { ...about, outcome: line.fault };
    const { host, policy } = line;
    // A decision about a domain above this server would hold for it, too.
    const isOwn = ownHost !== undefined && withParents(ownHost).includes(host);
    if (isOwn) return { ...about, outcome: "own" };
    const found = policies.get(host);
    const before = found ? storedOf(found) : null;
    if (before?.allowed) return { ...about, outcome: "allowed" };
    const after = joined(before ?? NOTHING, policy);
    if (before && isSameDecision(before, after))
      return { ...about, outcome: "same" };
    const outcome = before ? "stricter" : "new";
    return { ...about, outcome, change: { host, before, after } };
  });
}

export const storedOf = (policy: HostPolicy): StoredPolicy => ({
  blocked: policy.blocked,
  silenced: policy.silenced,
  mediaRejected: policy.mediaRejected,
  allowed: policy.allowed,
  reason: policy.reason,
});

/** The stricter of both; the reason of somebody here stays. */
function joined(before: StoredPolicy, policy: PolicyChange): StoredPolicy {
  return {
    ...before,
    blocked: before.blocked || policy.blocked === true,
    silenced: before.silenced || policy.silenced === true,
    mediaRejected: before.mediaRejected || policy.mediaRejected === true,
    reason: before.reason === "" ? (policy.reason ?? "") : before.reason,
  };
}

export const isSameDecision = (
  one: StoredPolicy,
  other: StoredPolicy,
): boolean =>
  one.blocked === other.blocked &&
  one.silenced === other.silenced &&
  one.mediaRejected === other.mediaRejected &&
  one.allowed === other.allowed;

/** Adds what is known here of the hosts that the lines change, with all below them. */
export async function withKnown(
  reader: Reader,
  lines: readonly PlannedLine[],
): Promise<PlannedLine[]> {
  const named = new Set(lines.flatMap(({ change }) => change?.host ?? []));
  const namesOf = (host: string) =>
    withParents(normalHost(host) ?? host).filter((name) => named.has(name));
  const concerned = (await listKnownHosts(reader)).filter(
    (host) => namesOf(host).length > 0,
  );
  const sums = new Map<string, KnownOfHost>();
  for (const [host, known] of await countKnown(reader, concerned))
    for (const name of namesOf(host))
      sums.set(name, add(sums.get(name) ?? NOBODY, known));
  return lines.map((line) =>
    line.change
      ? { ...line, known: sums.get(line.change.host) ?? NOBODY }
      : line,
  );
}

const NOBODY: KnownOfHost = { people: 0, contacts: 0, posts: 0 };

const add = (one: KnownOfHost, other: KnownOfHost): KnownOfHost => ({
  people: one.people + other.people,
  contacts: one.contacts + other.contacts,
  posts: one.posts + other.posts,
});
