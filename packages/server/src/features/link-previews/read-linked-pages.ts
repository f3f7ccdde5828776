import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import { listDuePages } from "./link-preview-queries.ts";
import { clearDue, postponeDue } from "./link-preview-store.ts";
import { PageOutcomes, type StoreOutcomesDeps } from "./page-outcomes.ts";
import { readPage, type ReadPage, type ReadPageDeps } from "./read-page.ts";
import { UnreachableHosts } from "./unreachable-hosts.ts";

/**
 * The job that reads linked pages. It waits for other servers, like a delivery: its slot is
 * free for other jobs meanwhile.
 */
export const READ_LINKED_PAGES = recurringKind("read-linked-pages", {
  pool: "delivery",
});

/** Rows of posts that are looked at together. */
const SCANNED = 500;
/** Hosts from which pages are read at once, and pages of one host. */
const HOSTS_AT_ONCE = 16;
const PAGES_PER_HOST = 2;
/** A host with many or slow pages keeps those of others waiting no longer than this. */
const TURN_MS = 8_000;
const HOST_PAUSE_MS = 10_000;
const IDLE_MS = 15_000;

export type ReadLinkedPagesDeps = ReadPageDeps &
  StoreOutcomesDeps & { readonly areEnabled: boolean };

type Deps = ReadLinkedPagesDeps & { readonly unreachable: UnreachableHosts };

/** Reads each page that is due once, whatever number of posts link it. */
export function createReadLinkedPages(
  given: ReadLinkedPagesDeps,
): JobHandler<Record<string, never>> {
  const deps = { ...given, unreachable: new UnreachableHosts(given.clock) };
  return async (_payload, { signal }) => {
    while (deps.areEnabled && !signal.aborted)
      if (!(await readSome(deps, signal))) break;
    return { kind: "again", afterMs: IDLE_MS };
  };
}

/** @returns whether any page was due */
async function readSome(deps: Deps, signal: AbortSignal): Promise<boolean> {
  const { db, clock } = deps;
  const due = await listDuePages(db.read, timestamp(clock.now()), SCANNED);
  const fresh = due.filter(({ isFresh }) => isFresh).map(({ url }) => url);
  const unread = due.filter(({ isFresh }) => !isFresh).map(({ url }) => url);
  if (fresh.length > 0) await db.transaction((tx) => clearDue(tx, fresh));
  const hosts = Map.groupBy(unread, (url) => new URL(url).host);
  const outcomes = new PageOutcomes(deps);
  const turns = [...hosts.values()]
    .slice(0, HOSTS_AT_ONCE)
    .map((urls) => readPagesOfHost(deps, urls, outcomes, signal));
  // Nothing of this round goes on after it, also where a turn fails.
  await Promise.allSettled(turns);
  const faults = await outcomes.settle();
  await Promise.all(turns);
  if (faults.length > 0) throw new AggregateError(faults);
  return due.length > 0;
}

async function readUnlessDown(
  deps: Deps,
  url: string,
  signal: AbortSignal,
): Promise<ReadPage> {
  const { host } = new URL(url);
  if (deps.unreachable.has(host)) return { kind: "failed" };
  const page = await readPage(deps, url, signal);
  if (page.kind !== "failed") deps.unreachable.noteAnswer(host);
  else if (page.unreachableHost !== undefined)
    deps.unreachable.noteFailure(page.unreachableHost);
  return page;
}

/** Pages at which we fail count as failed, so that they block no others. */
async function readPagesOfHost(
  deps: Deps,
  urls: readonly string[],
  outcomes: PageOutcomes,
  signal: AbortSignal,
): Promise<void> {
  const left = [...urls];
  const end = performance.now() + TURN_MS;
  const readInTurn = async (): Promise<void> => {
    while (!signal.aborted && performance.now() < end) {
      const url = left.shift();
      if (url === undefined) return;
      try {
        outcomes.add(url, await readUnlessDown(deps, url, signal));
      } catch (error) {
        if (signal.aborted) return;
        outcomes.addFault(url, error);
      }
    }
  };
  await Promise.all(Array.from({ length: PAGES_PER_HOST }, readInTurn));
  const { db, clock } = deps;
  const until = timestamp(later(clock.now(), HOST_PAUSE_MS));
  if (left.length > 0 && !signal.aborted)
    await db.transaction((tx) => postponeDue(tx, left, until));
}
