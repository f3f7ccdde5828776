import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import {
  listFills,
  listPeopleBelow,
  listPostsBelow,
  updateFill,
  type Fill,
} from "./fill-store.ts";
import { renewPersonWords } from "./person-words-store.ts";
import type { RenewPost } from "./renew-post.ts";
import {
  beginBlockBelow,
  findOldestBlock,
  isBlockFull,
} from "./search-blocks-store.ts";

type Nothing = Record<string, never>;

/** The job that indexes what is not indexed yet, newest first. */
export const FILL_SEARCH = jobKind<Nothing>("fill-search", {
  maxAttempts: 1000,
});

/** A transaction of so many keeps others waiting for a few hundredths of a second. */
const AT_ONCE = 200;

type FillDeps = { readonly db: Db; readonly renewPost: RenewPost };

/** Indexes a slice at each run, until nothing is left. */
export function createFillSearch(deps: FillDeps): JobHandler<Nothing> {
  return async () => {
    const isMore = await deps.db.transaction((tx) => fillSome(deps, tx));
    return isMore ? { kind: "again", afterMs: 0 } : DONE;
  };
}

async function fillSome({ db, renewPost }: FillDeps, tx: Tx): Promise<boolean> {
  await lockKey(tx, db.dialect, FILL_SEARCH.name);
  const [fill] = await listFills(tx);
  if (!fill) return false;
  const ids = await (fill.name === "people"
    ? fillPeople(tx, fill)
    : fillPosts(renewPost, tx, fill));
  const last = ids.length < AT_ONCE ? null : (ids.at(-1) ?? null);
  await updateFill(tx, fill, last, ids.length);
  return true;
}

async function fillPeople(tx: Tx, { below_id: below }: Fill) {
  const ids = await listPeopleBelow(tx, below, AT_ONCE);
  for (const id of ids) await renewPersonWords(tx, id);
  return ids;
}

async function fillPosts(renewPost: RenewPost, tx: Tx, fill: Fill) {
  const [, author] = fill.name.split(":");
  const by = author === undefined ? null : Number(author);
  const ids = await listPostsBelow(tx, fill.below_id, by, AT_ONCE);
  for (const id of ids) await renewPost(tx, id);
  const last = ids.at(-1);
  if (by === null && last !== undefined) {
    const { number, to } = await findOldestBlock(tx);
    if (await isBlockFull(tx, { from: last, to }))
      await beginBlockBelow(tx, number, last);
  }
  return ids;
}
