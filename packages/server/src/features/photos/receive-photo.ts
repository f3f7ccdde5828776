import type { Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { lockNames } from "../../db/lock-names.ts";
import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, PhotoId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import type { Received, ReceivedPhoto } from "../posts/index.ts";
import type { Retractions } from "../retractions/index.ts";
import type { PhotoFilesDeps } from "./photo-files.ts";
import {
  countPhotosOf,
  findPhoto,
  findPostNamed,
  type PostOfPhoto,
} from "./photo-queries.ts";
import { insertPhoto, updateRemotePhoto } from "./photo-store.ts";
import type { Photo, PhotoKey } from "./photo.ts";
import { hasWebAddress, MAX_PHOTOS, remotePhoto } from "./remote-photo.ts";
import { retractPhoto } from "./retract-photo.ts";

export type ReceivePhotoDeps = PhotoFilesDeps & {
  readonly facts: Facts;
  readonly retractions: Retractions;
  readonly indexing: Pick<Indexing, "renewPost">;
};

/** A remote photo that arrived separately from its post. Its author is authenticated. */
export type ReceivedPhotoAlone = ReceivedPhoto & {
  readonly guid: string;
  readonly personId: PersonId;
  /** Only viewers of the post may see it. */
  readonly limited: boolean;
  /** Guid of its post, which may arrive later. */
  readonly postGuid?: string | undefined;
  readonly editedAt?: Timestamp | undefined;
};

/**
 * Stores a remote photo that arrived separately, or a change to a known one. It is only
 * visible with its post: without one, it is deleted after a day, as is any waiting photo.
 */
export async function receiveRemotePhoto(
  deps: ReceivePhotoDeps,
  received: ReceivedPhotoAlone,
): Promise<Received<PhotoId>> {
  const { db, clock, retractions } = deps;
  const { guid, personId, postGuid } = received;
  if (!hasWebAddress(received)) return refused("It is at no web address");
  return db.transaction(async (tx) => {
    if (postGuid !== undefined) await lockNames(tx, db.dialect, [postGuid]);
    await lockKey(tx, db.dialect, `photo:${guid}`);
    const known = await findPhoto(tx, { guid });
    if (known) return update(deps, tx, known, received);
    const thing = { kind: "Photo", guid, personId, uri: null } as const;
    if (await retractions.isRetracted(tx, thing))
      return refused("It was retracted");
    const post =
      postGuid === undefined ? undefined : await findPostNamed(tx, postGuid);
    const position = post ? await countPhotosOf(tx, post.id) : 0;
    const refusal = post && refusePost(post, received, position);
    if (refusal !== undefined) return refused(refusal);
    const row = {
      ...remotePhoto(received, personId),
      postId: post?.id ?? null,
      position,
      limited: received.limited,
      awaitedPostGuid: post ? null : (postGuid ?? null),
      editedAt: received.editedAt ?? null,
    };
    const id = await insertPhoto(tx, row, timestamp(clock.now()));
    if (id === undefined) throw new Error("The picture cannot be stored");
    if (post) await deps.indexing.renewPost(tx, post.id);
    return { kind: "stored", value: id };
  });
}

function refusePost(
  post: PostOfPhoto,
  { personId, limited }: ReceivedPhotoAlone,
  count: number,
): string | undefined {
  if (post.personId !== personId) return "The post is another author's";
  if (post.public && limited) return "More people may see the post";
  return count < MAX_PHOTOS ? undefined : "The post has enough of them";
}

/** Applies only newer versions; a version without a time only replaces one without a time. */
async function update(
  { clock, indexing }: ReceivePhotoDeps,
  tx: Tx,
  known: Photo & { readonly editedAt: Timestamp | null },
  received: ReceivedPhotoAlone,
): Promise<Received<PhotoId>> {
  const { personId, editedAt } = received;
  if (known.personId !== personId || known.remote === null)
    return refused("The Guid is another author's");
  const isNews =
    editedAt === undefined
      ? known.editedAt === null
      : editedAt > (known.editedAt ?? "");
  if (isNews) {
    await updateRemotePhoto(
      tx,
      known.id,
      { ...remotePhoto(received, personId), editedAt: editedAt ?? null },
      timestamp(clock.now()),
    );
    if (known.postId !== null) await indexing.renewPost(tx, known.postId);
  }
  return { kind: "known", value: known.id };
}

/**
 * Retracts a remote photo; its post remains.
 * @returns false if this author has no such photo
 */
export async function receivePhotoRetraction(
  deps: ReceivePhotoDeps,
  key: PhotoKey,
  by: PersonId,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const photo = await findPhoto(tx, key);
    // One of a comment has no name elsewhere, and goes with the comment.
    if (photo?.personId !== by || photo.commentId !== null) return false;
    return retractPhoto(deps, tx, photo);
  });
}

function refused(reason: string): { kind: "refused"; reason: string } {
  return { kind: "refused", reason };
}
