import type { Db, Reader, Tx } from "../../db/db.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { EventId, PersonId } from "../ids.ts";
import { createFillSearch, FILL_SEARCH } from "./fill-index.ts";
import {
  hasPosts,
  insertAuthorFill,
  listFills,
  listIdsWithEvent,
} from "./fill-store.ts";
import { renewPersonWords } from "./person-words-store.ts";
import { createRenewPost } from "./renew-post.ts";

export { FILL_SEARCH } from "./fill-index.ts";
export { MARKS, type Thing } from "./marks.ts";
export {
  BLOCKS_IN_OCTET,
  listBlocks,
  octetOf,
  type Block,
  type IdRange,
} from "./search-blocks-store.ts";
export { isLocal } from "./post-content-queries.ts";

/** The index of posts and people that searches read. */
export type Indexing = ReturnType<typeof createIndexing>;

export function createIndexing(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
}) {
  const { db, jobs } = deps;
  const renewPost = createRenewPost(deps);
  const enqueueFill = (tx: Tx) =>
    jobs.enqueueUnlessWaiting(tx, FILL_SEARCH, {}, { lane: FILL_SEARCH.name });
  return {
    /** Brings the index of a post up to date, in the transaction that changes the post. */
    renewPost,
    /** The same for the posts with an event, which `change` may detach. */
    renewPostsWith: async (
      tx: Tx,
      eventId: EventId,
      change?: () => Promise<void>,
    ): Promise<void> => {
      const ids = await listIdsWithEvent(tx, eventId);
      await change?.();
      for (const id of ids) await renewPost(tx, id);
    },
    /** The same for the name and handle of a person. */
    renewPerson: renewPersonWords,
    /** A person has allowed or forbidden others to search its posts: a job follows. */
    renewPostsOf: async (tx: Tx, personId: PersonId): Promise<void> => {
      if (!(await hasPosts(tx, personId))) return;
      await insertAuthorFill(tx, personId);
      await enqueueFill(tx);
    },
    /** Enqueues the job that indexes what an older version of Kith has stored. */
    prepare: async (tx: Tx): Promise<void> => {
      if ((await listFills(tx)).length > 0) await enqueueFill(tx);
    },
    fill: createFillSearch({ db, renewPost }),
    /** Is a part of the posts not indexed yet? */
    isFilling: async (reader: Reader = db.read): Promise<boolean> =>
      (await listFills(reader)).some(({ name }) => name === "posts"),
  };
}
