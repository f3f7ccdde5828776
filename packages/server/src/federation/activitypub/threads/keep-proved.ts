import { renamesTerms, serialize, type Activity } from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import type { PostId } from "../../../features/ids.ts";
import { saveProved, type ProvedOf } from "../records/proved-store.ts";

/**
 * 20 of them, one page of a collection, stay below the limit for a response.
 */
const MAX_BYTES = 48 * 1024;

/**
 * Stores a remote comment or reaction below a limited post with its verified
 * proof, for the other recipients: they cannot fetch it from its author's
 * server, and accept only proved ones.
 */
export async function keepProved(
  { db }: { readonly db: Db },
  postId: PostId,
  of: ProvedOf,
  { raw }: Activity,
): Promise<void> {
  const document = serialize(raw);
  if (renamesTerms(raw) || Buffer.byteLength(document) > MAX_BYTES) return;
  await db.transaction((tx) => saveProved(tx, postId, of, document));
}
