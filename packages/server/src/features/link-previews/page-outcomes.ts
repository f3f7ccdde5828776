import { setTimeout as sleep } from "node:timers/promises";
import type { Db, Tx } from "../../db/db.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import { listNewestWith } from "./link-preview-queries.ts";
import {
  clearDue,
  type Preview,
  upsertFailures,
  upsertPreviews,
} from "./link-preview-store.ts";
import type { ReadPage } from "./read-page.ts";

export type StoreOutcomesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly changes: {
    /** Tells open streams that a post shows something else, once it is committed. */
    notePost(tx: Tx, postId: PostId): void;
  };
};

const DAY_MS = 86_400_000;
/** After these times another post with the link has the page read again. */
const KEEP_MS = 30 * DAY_MS;
const KEEP_FAILURE_MS = DAY_MS;
/** Outcomes of this time are stored together. */
const GATHER_MS = 50;
const MAX_STORED_AT_ONCE = 100;
/** The newest posts with a link are announced to open streams; older ones are read again anyway. */
const MAX_ANNOUNCED = 50;

type Outcome = { readonly url: string; readonly page: ReadPage };

/**
 * Stores the outcomes of a round of reading pages, several in a transaction: where many posts link
 * pages of quick hosts, a transaction for each would cost more than the posts. The outcomes that a killed
 * process has not stored are of pages that are still due.
 */
export class PageOutcomes {
  readonly #deps: StoreOutcomesDeps;
  readonly #waiting: Outcome[] = [];
  readonly #faults: unknown[] = [];
  #storing: Promise<void> | undefined;

  constructor(deps: StoreOutcomesDeps) {
    this.#deps = deps;
  }

  add(url: string, page: ReadPage): void {
    this.#waiting.push({ url, page });
    this.#storing ??= this.#storeAll();
  }

  /** Notes a fault of ours, after which the page counts as failed. */
  addFault(url: string, fault: unknown): void {
    this.#faults.push(fault);
    this.add(url, { kind: "failed" });
  }

  /** Waits until all outcomes are stored. @returns the faults of ours */
  async settle(): Promise<readonly unknown[]> {
    await this.#storing;
    return this.#faults;
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await sleep(GATHER_MS);
      await this.#store(this.#waiting.splice(0, MAX_STORED_AT_ONCE));
    }
    this.#storing = undefined;
  }

  async #store(outcomes: readonly Outcome[]): Promise<void> {
    try {
      await storeOutcomes(this.#deps, outcomes);
    } catch (error) {
      await this.#storeRest(outcomes, error);
    }
  }

  /** An outcome that cannot be stored keeps no others from it. */
  async #storeRest(
    outcomes: readonly Outcome[],
    fault: unknown,
  ): Promise<void> {
    const [first, ...others] = outcomes;
    if (first && others.length === 0) {
      this.#faults.push(fault);
      const failed = { ...first, page: { kind: "failed" } } as const;
      if (first.page.kind !== "failed") await this.#store([failed]);
      return;
    }
    for (const outcome of outcomes) await this.#store([outcome]);
  }
}

function storeOutcomes(
  { db, clock, changes }: StoreOutcomesDeps,
  outcomes: readonly Outcome[],
): Promise<void> {
  return db.transaction(async (tx) => {
    // The last post with a link may be gone.
    const due = await clearDue(
      tx,
      outcomes.map(({ url }) => url),
    );
    const wanted = outcomes.filter(({ url }) => due.has(url));
    const now = clock.now();
    const previews = wanted.flatMap((outcome) => toPreviews(outcome, now));
    await upsertPreviews(tx, previews);
    await upsertFailures(
      tx,
      wanted.flatMap(({ url, page }) => (page.kind === "failed" ? [url] : [])),
      timestamp(later(now, KEEP_FAILURE_MS)),
    );
    for (const { url, summary } of previews)
      if (summary !== null)
        for (const postId of await listNewestWith(tx, url, MAX_ANNOUNCED))
          changes.notePost(tx, postId);
  });
}

/** @returns none for a page that could not be read */
function toPreviews({ url, page }: Outcome, now: Date): Preview[] {
  const keep = (summary: Preview["summary"], forMs: number) => [
    { url, summary, expiresAt: timestamp(later(now, forMs)) },
  ];
  switch (page.kind) {
    case "read":
      return keep(page.summary, KEEP_MS);
    case "nothing":
      return keep(null, KEEP_FAILURE_MS);
    case "failed":
      return [];
  }
}
