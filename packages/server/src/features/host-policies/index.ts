import { createLruCache, type LruCache } from "../../lib/caching/lru-cache.ts";
import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { normalHost, withParents } from "../../lib/host-name.ts";
import { createTtlCache } from "../../lib/caching/ttl-cache.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Action, Audit, Doer } from "../audit/index.ts";
import { APPLY_HOST_POLICIES } from "./apply-policies.ts";
import { createHostLists } from "./lists/host-lists.ts";
import { listKnownHosts } from "./lists/list-import-store.ts";
import {
  byHostOf,
  judge,
  type HostPolicy,
  type PoliciesByHost,
  type Verdict,
} from "./host-policy.ts";
import {
  deletePolicy,
  listPolicies,
  listPoliciesOf,
  savePolicy,
  type PolicyChange,
} from "./host-policy-store.ts";

export type { HostPolicy, Verdict } from "./host-policy.ts";
export type { PolicyChange } from "./host-policy-store.ts";
export type { LineOutcome, PlannedLine } from "./lists/import-list.ts";
export type { HostListImport } from "./lists/list-import-store.ts";
export { MAX_LIST_LENGTH } from "./lists/read-list.ts";
export {
  APPLY_HOST_POLICIES,
  createApplyHostPolicies,
  createApplyHostPoliciesJob,
  endContacts,
  type ApplyHostPolicies,
} from "./apply-policies.ts";

export type HostPoliciesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly audit: Audit;
  /** `host[:port]` of local handles: no policy ever applies to this server. */
  readonly handleHost: string;
  /** Whether to federate with allowed hosts only. */
  readonly onlyAllowedHosts: boolean;
};

/** The purpose of the request: federation, or its images alone. */
export type Purpose = "federation" | "media";

/** For how long another process may not know of a change. */
const KEEP_MS = 5_000;
/** Each message asks for the same few addresses several times. */
const MAX_VERDICTS = 10_000;

/** The policies of other hosts. Every exchange with a host checks them here. */
export type HostPolicies = ReturnType<typeof createHostPolicies>;

export function createHostPolicies(deps: HostPoliciesDeps) {
  const { db, clock, onlyAllowedHosts } = deps;
  const ownHost = normalHost(deps.handleHost);
  const kept = createTtlCache<Decided>(clock, KEEP_MS, async () => {
    const byHost = byHostOf(await listPolicies(db.read));
    return { byHost, verdicts: createLruCache({ max: MAX_VERDICTS }) };
  });

  /** An address without a valid host is blocked. */
  async function verdictOn(
    addresses: readonly string[],
    tx?: Tx,
  ): Promise<Verdict> {
    const hosts = addresses.map(normalHost);
    const known = hosts.filter((host) => host !== undefined);
    const foreign = known.filter((host) => host !== ownHost);
    const byHost = await (tx ? readOn(tx, foreign) : readKept());
    const verdict = judge(byHost, foreign, onlyAllowedHosts);
    return known.length < hosts.length
      ? { ...verdict, shutOut: true }
      : verdict;
  }

  const readKept = async () => (await kept.get()).byHost;

  async function verdictOnOne(address: string): Promise<Verdict> {
    const { verdicts } = await kept.get();
    const before = verdicts.get(address);
    if (before) return before;
    const verdict = await verdictOn([address]);
    verdicts.set(address, verdict);
    return verdict;
  }

  async function change(
    text: string,
    act: {
      readonly by: Doer;
      readonly action: Action;
      readonly details?: string;
    },
    write: (tx: Tx, host: string) => Promise<boolean>,
  ): Promise<boolean> {
    const host = normalHost(text);
    if (host === undefined || host === ownHost) return false;
    const isChanged = await db.transaction(async (tx) => {
      if (!(await write(tx, host))) return false;
      await deps.audit.recordAct(tx, { ...act, target: host });
      // Also applied if the deciding process stops before it applies the change itself.
      const lane = APPLY_HOST_POLICIES.name;
      await deps.jobs.enqueueUnlessWaiting(
        tx,
        APPLY_HOST_POLICIES,
        {},
        { lane },
      );
      return true;
    });
    kept.forget();
    return isChanged;
  }

  return {
    /** Lists of decisions, as other servers write them. */
    lists: createHostLists({ ...deps, forgetKept: () => kept.forget() }),
    /**
     * Is the host allowed, if the cache can answer synchronously? Each message asks several
     * times.
     */
    peekHostAllowed: (address: string): boolean | undefined => {
      const verdict = kept.peek()?.verdicts.get(address);
      return verdict && !verdict.shutOut;
    },
    /**
     * May this server communicate with a host for this purpose?
     * @param address a host, with or without a port, or a URL there
     */
    isHostAllowed: async (
      address: string,
      purpose: Purpose = "federation",
    ): Promise<boolean> => {
      // Image addresses are not cached: each differs, and is asked for once.
      const verdict = await (purpose === "media"
        ? verdictOn([address])
        : verdictOnOne(address));
      return (
        !verdict.shutOut && !(purpose === "media" && verdict.mediaRejected)
      );
    },
    /**
     * The verdict for a person who depends on all of these hosts or URLs.
     * @param tx reads the policies from the database instead of the cache
     */
    verdictOn,
    /**
     * The names of the servers with people who are known here, in their order, for everybody.
     * Without those that are blocked; a server that federates with chosen ones alone names none.
     */
    listPeers: async (): Promise<string[]> => {
      if (onlyAllowedHosts) return [];
      const policies = byHostOf(await listPolicies(db.read));
      const hosts = await listKnownHosts(db.read);
      return hosts
        .filter((host) => {
          const name = normalHost(host);
          return name !== undefined && !judge(policies, [name], false).shutOut;
        })
        .sort();
    },
    /** Drops the cache, since another process may have changed the policies. */
    forgetKept: () => kept.forget(),
    /** Ordered by host. */
    list: (): Promise<HostPolicy[]> => listPolicies(db.read),
    /**
     * Changes the policy of a host, and enqueues applying it to known people.
     * @returns false if the text names no host, or this one
     */
    set: (by: Doer, text: string, policy: PolicyChange): Promise<boolean> => {
      const details = policy.reason ?? "";
      const act = { by, action: actionOf(policy), details };
      return change(text, act, async (tx, host) => {
        await savePolicy(tx, host, policy, timestamp(clock.now()));
        return true;
      });
    },
    /** Deletes the policy of a host. @returns false if there was none */
    forgive: async (by: Doer, text: string): Promise<boolean> => {
      const host = normalHost(text);
      const decided = await listPolicies(db.read);
      if (!decided.some((policy) => policy.host === host)) return false;
      return change(text, { by, action: "host.forgive" }, deletePolicy);
    },
  };
}

/** The possible decisions, and the fields that each sets; other fields keep their value. */
export const HOST_DECISIONS = {
  block: { blocked: true, allowed: false },
  silence: { silenced: true, blocked: false },
  reject_media: { mediaRejected: true },
  allow: { allowed: true, blocked: false },
} as const satisfies Readonly<Record<string, PolicyChange>>;

export type HostDecision = keyof typeof HOST_DECISIONS;

function actionOf({ blocked, silenced, mediaRejected }: PolicyChange): Action {
  if (blocked === true) return "host.block";
  if (silenced === true) return "host.silence";
  return mediaRejected === true ? "host.reject_media" : "host.allow";
}

/** The policies that apply to these hosts. */
async function readOn(
  tx: Tx,
  hosts: readonly string[],
): Promise<PoliciesByHost> {
  const names = new Set(hosts.flatMap(withParents));
  return byHostOf(await listPoliciesOf(tx, [...names]));
}

type Decided = {
  readonly byHost: PoliciesByHost;
  /** By address. */
  readonly verdicts: LruCache<string, Verdict>;
};
