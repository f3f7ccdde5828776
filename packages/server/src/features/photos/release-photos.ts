import type { Tx } from "../../db/db.ts";
import { newGuid } from "../../lib/guids.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { PhotoId, PostId } from "../ids.ts";
import type { PhotoCopies } from "../posts/index.ts";
import { removeFilesLater, type PhotoFilesDeps } from "./photo-files.ts";
import { listPhotosIn } from "./photo-queries.ts";
import { deletePhotosBelow, updateReleased } from "./photo-store.ts";
import { mediaKey } from "./photo.ts";

/**
 * Copies the files of a post's pictures under new names. Without a transaction that takes them
 * over they are swept.
 */
export async function copyFiles(
  { db, clock, media }: Pick<PhotoFilesDeps, "clock" | "db" | "media">,
  postId: PostId,
): Promise<PhotoCopies> {
  const copies = new Map<PhotoId, string>();
  for (const photo of await listPhotosIn(db.read, {
    postId,
    commentId: null,
  })) {
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
 * Lets the copied pictures of a post that is deleted wait for another one. Their names and
 * addresses are new: those whom the old post was shown to do not know them.
 */
export async function releasePhotos(
  deps: Pick<PhotoFilesDeps, "clock" | "jobs">,
  tx: Tx,
  postId: PostId,
  copies: PhotoCopies,
): Promise<void> {
  const now = timestamp(deps.clock.now());
  const place = { postId, commentId: null };
  const all = copies.size === 0 ? [] : await listPhotosIn(tx, place);
  const old = all.filter(({ id }) => copies.has(id));
  for (const { id } of old)
    await updateReleased(tx, id, copies.get(id) ?? newGuid(), now);
  await removeFilesLater(deps, tx, [
    ...old,
    ...(await deletePhotosBelow(tx, [postId])),
  ]);
}
