import type { Db, Reader, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { codeOf } from "../../lib/errors.ts";
import {
  deleteUnplaced,
  hasUnplaced,
  insertArrivals,
  listUnplaced,
} from "./arrival-store.ts";
import {
  deleteUnplacedComments,
  findUnplacedComment,
  insertCommentArrivals,
  listUnplacedComments,
} from "./comment-arrival-store.ts";

/** Places posts where nobody reads, so that the first reader does not wait for all of them. */
export const PLACE_ARRIVALS = recurringKind("place-arrivals");

const AT_ONCE = 500;
const IDLE_MS = 60_000;
const BUSY_MS = 5_000;
const FOREIGN_KEY_VIOLATION = "23503";
const MAX_ATTEMPTS = 5;

export type PlaceArrivals = () => Promise<number>;

type PlaceDeps = { readonly db: Db };

/** Posts or comments that wait for places in homes. */
type Waiting = {
  readonly isAny: (reader: Reader) => Promise<boolean>;
  /** Gives the first of them places. @returns how many notes it took */
  readonly placeFirst: (tx: Tx) => Promise<number>;
};

/**
 * Gives all committed posts their places in homes. A reader goes on from the last place
 * it has read, so none may appear behind one that can be read. Transactions commit in
 * another order than they draw numbers, so numbers are drawn here, by one transaction
 * after the other, and not where posts are stored: these would wait for each other.
 * @returns how many notes of posts it took
 */
export const createPlaceArrivals = ({ db }: PlaceDeps): PlaceArrivals =>
  createPlacing(db, { isAny: hasUnplaced, placeFirst: placePosts });

/** The same for comments, of which only homes with replies speak. */
export const createPlaceComments = ({ db }: PlaceDeps): PlaceArrivals =>
  createPlacing(db, {
    isAny: async (reader) => (await findUnplacedComment(reader, {})).length > 0,
    placeFirst: (tx) => placeComments(tx, db),
  });

function createPlacing(db: Db, waiting: Waiting): PlaceArrivals {
  let running: Promise<number> | undefined;
  const placeAll = async (): Promise<number> => {
    let placed = 0;
    for (;;) {
      const count = await placeSome(db, waiting);
      placed += count;
      if (count < AT_ONCE) return placed;
    }
  };
  return async () => {
    if (!(await waiting.isAny(db.read))) return 0;
    // One that is running may have begun before the last commit.
    await running?.catch(() => undefined);
    running ??= placeAll().finally(() => {
      running = undefined;
    });
    return running;
  };
}

export function createPlaceArrivalsJob(
  place: PlaceArrivals,
): JobHandler<Record<string, never>> {
  return async () => {
    const placed = await place();
    return { kind: "again", afterMs: placed > 0 ? BUSY_MS : IDLE_MS };
  };
}

/** A post or comment may be deleted meanwhile, and its note with it. */
async function placeSome(db: Db, { placeFirst }: Waiting): Promise<number> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await db.transaction(async (tx) => {
        await lockKey(tx, db.dialect, "post-arrivals");
        return placeFirst(tx);
      });
    } catch (error) {
      const isGone = codeOf(error) === FOREIGN_KEY_VIOLATION;
      if (!isGone || attempt === MAX_ATTEMPTS) throw error;
    }
}

async function placePosts(tx: Tx): Promise<number> {
  const ids = await listUnplaced(tx, AT_ONCE);
  if (ids.length === 0) return 0;
  await insertArrivals(tx, ids);
  await deleteUnplaced(tx, ids);
  return ids.length;
}

async function placeComments(
  tx: Tx,
  { dialect }: Pick<Db, "dialect">,
): Promise<number> {
  const ids = await listUnplacedComments(tx, AT_ONCE);
  if (ids.length === 0) return 0;
  await insertCommentArrivals(tx, dialect, ids);
  await deleteUnplacedComments(tx, ids);
  return ids.length;
}
