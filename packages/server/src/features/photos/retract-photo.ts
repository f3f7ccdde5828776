import type { Tx } from "../../db/db.ts";
import type { Facts } from "../facts.ts";
import type { Indexing } from "../indexing/index.ts";
import type { Retractions } from "../retractions/index.ts";
import { removeFilesLater, type PhotoFilesDeps } from "./photo-files.ts";
import { deletePhoto } from "./photo-store.ts";
import type { Photo } from "./photo.ts";

type RetractPhotoDeps = Pick<PhotoFilesDeps, "clock" | "jobs"> & {
  readonly facts: Facts;
  readonly indexing: Pick<Indexing, "renewPost">;
  readonly retractions: Retractions;
};

/**
 * Deletes a photo with its files, and announces the retraction to the recipients of its
 * post.
 * @returns false if it was deleted concurrently
 */
export async function retractPhoto(
  deps: RetractPhotoDeps,
  tx: Tx,
  { id, guid, personId, postId }: Photo,
): Promise<boolean> {
  const deleted = await deletePhoto(tx, id);
  if (!deleted) return false;
  if (postId !== null) await deps.indexing.renewPost(tx, postId);
  await removeFilesLater(deps, tx, [deleted]);
  await deps.retractions.record(tx, {
    kind: "Photo",
    guid,
    personId,
    uri: null,
    details: { kind: "Photo", postId },
  });
  await deps.facts.record(tx, { type: "photo.retracted", guid, by: personId });
  return true;
}
