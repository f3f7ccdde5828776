import type { Tx } from "../../db/db.ts";
import { newGuid } from "../../lib/guids.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { PhotoId } from "../ids.ts";
import type { PhotoCopies } from "../posts/index.ts";
import { removeFilesLater, type PhotoFilesDeps } from "./photo-files.ts";
import { listPhotosIn } from "./photo-queries.ts";
import {
  deletePhotosAt,
  deletePhotosBelow,
  updateReleased,
} from "./photo-store.ts";
import { mediaKey, type PhotoPlace } from "./photo.ts";

/**
 * Copies the files of the pictures at a place under new names. Without a transaction that takes
 * them over they are swept.
 */
export async function copyFiles(
  { db, clock, media }: Pick<PhotoFilesDeps, "clock" | "db" | "media">,
  place: PhotoPlace,
): Promise<PhotoCopies> {
  const copies = new Map<PhotoId, string>();
  for (const photo of await listPhotosIn(db.read, place)) {
    const { id, guid, mediaType, sizes } = photo;
    if (photo.remote) continue;
    const copy = newGuid();
    for (const size of sizes)
      await media.copy(
        mediaKey(guid, mediaType, size),
        mediaKey(copy, mediaType, size),
        clock.now(),
      );
    copies.set(id, copy);
  }
  return copies;
}

/**
 * Lets the copied pictures of something that is deleted wait for another post, and deletes the
 * others, those of a post with those of its comments. The names and addresses are new: those whom
 * the old ones were shown to do not know them.
 */
export async function releasePhotos(
  deps: Pick<PhotoFilesDeps, "clock" | "jobs">,
  tx: Tx,
  place: PhotoPlace,
  copies: PhotoCopies,
): Promise<void> {
  const now = timestamp(deps.clock.now());
  const all = copies.size === 0 ? [] : await listPhotosIn(tx, place);
  const old = all.filter(({ id }) => copies.has(id));
  for (const { id } of old)
    await updateReleased(tx, id, copies.get(id) ?? newGuid(), now);
  const others = await (place.commentId === null
    ? deletePhotosBelow(tx, [place.postId])
    : deletePhotosAt(tx, place));
  await removeFilesLater(deps, tx, [...old, ...others]);
}
