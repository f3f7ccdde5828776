import type { Db, Tx } from "../../../db/db.ts";
import { lockKey } from "../../../db/dialect.ts";
import { KithError } from "../../../lib/errors.ts";
import { normalHost } from "../../../lib/host-name.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { nameOfDoer, type Audit, type Doer } from "../../audit/index.ts";
import type { Page } from "../../page.ts";
import { APPLY_HOST_POLICIES } from "../apply-policies.ts";
import { byHostOf } from "../host-policy.ts";
import {
  deletePolicy,
  listPolicies,
  savePolicy,
} from "../host-policy-store.ts";
import {
  isSameDecision,
  planLines,
  storedOf,
  withKnown,
  type PlannedLine,
} from "./import-list.ts";
import {
  findListImport,
  insertListImport,
  listListImports,
  updateUndone,
  type HostListImport,
  type ListChange,
} from "./list-import-store.ts";
import { readHostList } from "./read-list.ts";
import { writeHostList } from "./write-list.ts";

export type HostListsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly audit: Audit;
  readonly handleHost: string;
  /** Drops the cache of policies. */
  readonly forgetKept: () => void;
};

/** Lists of decisions about hosts. */
export function createHostLists(deps: HostListsDeps) {
  const { db, forgetKept } = deps;
  const ownHost = normalHost(deps.handleHost);
  return {
    /** The decisions as a CSV file. */
    write: async () => writeHostList(await listPolicies(db.read)),
    /**
     * Shows what a list would do, and changes nothing.
     * @throws {KithError} `bad_request` for a text that is no list
     */
    preview: async (text: string): Promise<PlannedLine[]> => {
      const policies = byHostOf(await listPolicies(db.read));
      const planned = planLines(readHostList(text), policies, ownHost);
      return withKnown(db.read, planned);
    },
    /**
     * Takes over what makes decisions stricter, as one act that can be undone.
     * @returns the lines, and the number of the import; undefined if nothing changed
     * @throws {KithError} `bad_request` for a text that is no list
     */
    apply: async (by: Doer, text: string) => {
      const lines = readHostList(text);
      const applied = await db.transaction(async (tx) => {
        await lockKey(tx, db.dialect, "host-lists");
        const policies = byHostOf(await listPolicies(tx));
        const planned = planLines(lines, policies, ownHost);
        const id = await applyChanges(deps, tx, by, planned);
        return { id, lines: planned };
      });
      forgetKept();
      return applied;
    },
    /** The imports, newest first. */
    list: (page: Page): Promise<HostListImport[]> =>
      listListImports(db.read, page),
    /**
     * Takes back what an import changed, and only that: a decision that somebody changed since
     * stays.
     * @returns the hosts whose decisions were taken back, and those that stay
     * @throws {KithError} `not_found`; `conflict` if it is undone already
     */
    undo: async (by: Doer, id: number) => {
      const undone = await db.transaction((tx) => undo(deps, tx, by, id));
      forgetKept();
      return undone;
    },
  };
}

export type HostLists = ReturnType<typeof createHostLists>;

async function applyChanges(
  deps: HostListsDeps,
  tx: Tx,
  by: Doer,
  planned: readonly PlannedLine[],
): Promise<number | undefined> {
  const changes = planned.flatMap(({ change }) => change ?? []);
  if (changes.length === 0) return undefined;
  const now = timestamp(deps.clock.now());
  for (const { host, after } of changes) await savePolicy(tx, host, after, now);
  const byName = nameOfDoer(by);
  const id = await insertListImport(tx, { byName, changes, createdAt: now });
  await deps.audit.recordAct(tx, {
    ...{ by, action: "host_list.import", target: `#${id}` },
    details: String(changes.length),
  });
  await enqueue(deps, tx);
  return id;
}

async function undo(
  deps: HostListsDeps,
  tx: Tx,
  by: Doer,
  id: number,
): Promise<{ readonly restored: string[]; readonly left: string[] }> {
  await lockKey(tx, deps.db.dialect, "host-lists");
  const made = await findListImport(tx, id);
  if (!made) throw new KithError("not_found", "No such import.");
  if (made.undoneAt !== null)
    throw new KithError("conflict", "The import is undone already.");
  const now = timestamp(deps.clock.now());
  const policies = byHostOf(await listPolicies(tx));
  const isUntouched = ({ host, after }: ListChange) => {
    const found = policies.get(host);
    return found !== undefined && isSameDecision(storedOf(found), after);
  };
  const restored = made.changes.filter(isUntouched);
  for (const { host, before } of restored)
    await (before ? savePolicy(tx, host, before, now) : deletePolicy(tx, host));
  await updateUndone(tx, id, now);
  await deps.audit.recordAct(tx, {
    ...{ by, action: "host_list.undo", target: `#${id}` },
    details: String(restored.length),
  });
  await enqueue(deps, tx);
  return {
    restored: restored.map(({ host }) => host),
    left: made.changes.filter((it) => !isUntouched(it)).map((it) => it.host),
  };
}

async function enqueue({ jobs }: HostListsDeps, tx: Tx): Promise<void> {
  const lane = APPLY_HOST_POLICIES.name;
  await jobs.enqueueUnlessWaiting(tx, APPLY_HOST_POLICIES, {}, { lane });
}
