import type { Db, Tx } from "../../db/db.ts";
import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { listDuePages, listNewestWith } from "./link-preview-queries.ts";
import {
  clearDue,
  postponeDue,
  upsertFailure,
  upsertPreview,
} from "./link-preview-store.ts";
import type { PostId } from "../ids.ts";
import { readPage, type ReadPage, type ReadPageDeps } from "./read-page.ts";

/**
 * The job that reads linked pages. It waits for other servers, like a delivery: its slot is
 * free for other jobs meanwhile.
 */
export const READ_LINKED_PAGES = recurringKind("read-linked-pages", {
  pool: "delivery",
});

const DAY_MS = 86_400_000;
/** After these times another post with the link has the page read again. */
const KEEP_MS = 30 * DAY_MS;
const KEEP_FAILURE_MS = DAY_MS;
/** Rows of posts that are looked at together. */
const SCANNED = 500;
/** Hosts from which pages are read at once, and pages of one host. */
const HOSTS_AT_ONCE = 16;
const PAGES_PER_HOST = 2;
/** A host with many or slow pages keeps those of others waiting no longer than this. */
const TURN_MS = 8_000;
const HOST_PAUSE_MS = 10_000;
const IDLE_MS = 15_000;
/** The newest posts with a link are announced to open streams; older ones are read again anyway. */
const MAX_ANNOUNCED = 50;

export type ReadLinkedPagesDeps = ReadPageDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly areEnabled: boolean;
  readonly changes: {
    /** Tells open streams that a post shows something else, once it is committed. */
    notePost(tx: Tx, postId: PostId): void;
  };
};

/** Reads each page that is due once, whatever number of posts link it. */
export function createReadLinkedPages(
  deps: ReadLinkedPagesDeps,
): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    while (deps.areEnabled && !signal.aborted)
      if (!(await readSome(deps, signal))) break;
    return { kind: "again", afterMs: IDLE_MS };
  };
}

/** @returns whether any page was due */
async function readSome(
  deps: ReadLinkedPagesDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, clock } = deps;
  const due = await listDuePages(db.read, timestamp(clock.now()), SCANNED);
  const fresh = due.filter(({ isFresh }) => isFresh).map(({ url }) => url);
  const unread = due.filter(({ isFresh }) => !isFresh).map(({ url }) => url);
  if (fresh.length > 0) await db.transaction((tx) => clearDue(tx, fresh));
  const hosts = Map.groupBy(unread, (url) => new URL(url).host);
  const turns = [...hosts.values()]
    .slice(0, HOSTS_AT_ONCE)
    .map((urls) => readPagesOfHost(deps, urls, signal));
  const faults = (await Promise.all(turns)).flat();
  if (faults.length > 0) throw new AggregateError(faults);
  return due.length > 0;
}

/** @returns faults of ours. Their pages count as failed, so that they block no others. */
async function readPagesOfHost(
  deps: ReadLinkedPagesDeps,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<unknown[]> {
  const left = [...urls];
  const faults: unknown[] = [];
  const end = performance.now() + TURN_MS;
  const readInTurn = async (): Promise<void> => {
    while (!signal.aborted && performance.now() < end) {
      const url = left.shift();
      if (url === undefined) return;
      try {
        await store(deps, url, await readPage(deps, url, signal));
      } catch (error) {
        if (signal.aborted) return;
        faults.push(error);
        await store(deps, url, { kind: "failed" });
      }
    }
  };
  await Promise.all(Array.from({ length: PAGES_PER_HOST }, readInTurn));
  const { db, clock } = deps;
  const until = timestamp(later(clock.now(), HOST_PAUSE_MS));
  if (left.length > 0 && !signal.aborted)
    await db.transaction((tx) => postponeDue(tx, left, until));
  return faults;
}

function store(
  { db, clock, changes }: ReadLinkedPagesDeps,
  url: string,
  page: ReadPage,
): Promise<void> {
  return db.transaction(async (tx) => {
    // The last post with the link may be gone.
    if (!(await clearDue(tx, [url]))) return;
    const now = clock.now();
    const failureEnd = timestamp(later(now, KEEP_FAILURE_MS));
    switch (page.kind) {
      case "read": {
        const end = timestamp(later(now, KEEP_MS));
        await upsertPreview(tx, url, page.summary, end);
        for (const postId of await listNewestWith(tx, url, MAX_ANNOUNCED))
          changes.notePost(tx, postId);
        return;
      }
      case "nothing":
        return upsertPreview(tx, url, null, failureEnd);
      case "failed":
        return upsertFailure(tx, url, failureEnd);
    }
  });
}
