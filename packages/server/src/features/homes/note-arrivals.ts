import type { Tx } from "../../db/db.ts";
import type { Fact } from "../facts.ts";
import {
  deleteUnplacedOf,
  insertUnplaced,
  insertUnplacedFor,
} from "./arrival-store.ts";

export const homePlaces = {
  /** Keeps a post out of homes, in the transaction that stores it. */
  keepFrom: deleteUnplacedOf,
  /** Gives a post a place that was kept out of them, as if it came now. */
  placeIn: insertUnplaced,
};

/** Notes posts that reach more homes than before. New posts are noted by the database. */
export async function noteArrivals(tx: Tx, fact: Fact): Promise<void> {
  if (fact.type === "post.changed") await insertUnplaced(tx, fact.postId);
  if (fact.type === "post.received" && fact.to !== undefined)
    await insertUnplacedFor(tx, fact.postId, fact.to);
}
