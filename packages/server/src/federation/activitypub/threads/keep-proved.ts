import { renamesWords, serialize, type Activity } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { PostId } from "../../../features/ids.ts";
import { saveProved, type ProvedOf } from "./proved-store.ts";

/** 20 of them, which are one page of a collection, stay below what is read of an answer. */
const MAX_BYTES = 48 * 1024;

/**
 * Keeps what somebody elsewhere said below a limited post, with the proof that
 * was found to be that person's, for the others who got the post: they cannot ask
 * the server of who said it, and believe nobody else.
 */
export async function keepProved(
  { db }: { readonly db: Db },
  postId: PostId,
  of: ProvedOf,
  { raw }: Activity,
): Promise<void> {
  const document = serialize(raw);
  if (renamesWords(raw) || Buffer.byteLength(document) > MAX_BYTES) return;
  await db.transaction((tx) => saveProved(tx, postId, of, document));
}
