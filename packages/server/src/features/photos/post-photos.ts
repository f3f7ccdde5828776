import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { Tx } from "../../db/db.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Facts } from "../facts.ts";
import type { AspectId, PhotoId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import type { PostPhotos, ReceivedPhoto } from "../posts/index.ts";
import type { Retractions } from "../retractions/index.ts";
import { removeFilesLater, type PhotoFilesDeps } from "./photo-files.ts";
import {
  findPhoto,
  listAwaiting,
  listDescriptions,
  listPhotosIn,
  listRemotePhotos,
  listWaiting,
} from "./photo-queries.ts";
import {
  deleteRemoteExcept,
  insertPhoto,
  updatePosition,
  updatePost,
  updateRemotePhoto,
} from "./photo-store.ts";
import type { Photo } from "./photo.ts";
import { copyFiles, releasePhotos } from "./release-photos.ts";
import { retractPhoto } from "./retract-photo.ts";
import { hasWebAddress, MAX_PHOTOS, remotePhoto } from "./remote-photo.ts";

type PostPhotosDeps = PhotoFilesDeps & {
  readonly facts: Facts;
  readonly indexing: Pick<Indexing, "renewPost">;
  readonly retractions: Retractions;
};
type PostOfPhotos = Parameters<PostPhotos["receive"]>[1];

/** Attaches, replaces and deletes the photos of posts, within the posts' transactions. */
export function createPostPhotos(deps: PostPhotosDeps): PostPhotos {
  const { clock } = deps;
  const now = () => timestamp(clock.now());
  return {
    check: (tx, post, given) => checkPending(tx, post, new Set(given)),
    attach: async (tx, postId, given) => {
      for (const [position, id] of [...new Set(given)].entries())
        if (!(await updatePost(tx, id, postId, position, now())))
          throw unknownPhoto();
    },
    receive: async (tx, post, received) => {
      const usable = received.filter(hasWebAddress).slice(0, MAX_PHOTOS);
      for (const [position, photo] of usable.entries())
        await receiveWithPost(deps, tx, post, photo, position);
      await takeWaiting(deps, tx, post, usable.length);
    },
    replace: async (tx, post, received) => {
      const usable = received.filter(hasWebAddress).slice(0, MAX_PHOTOS);
      const urls = usable.map(({ url }) => new URL(url).href);
      const gone = await deleteRemoteExcept(tx, post.id, urls);
      await removeFilesLater(deps, tx, gone);
      const left = await listRemotePhotos(tx, post.id);
      for (const [position, photo] of usable.entries()) {
        const { href } = new URL(photo.url);
        const at = left.findIndex(({ remote }) => remote?.url === href);
        const [known] = at === -1 ? [] : left.splice(at, 1);
        if (known) {
          await renew(deps, tx, known, photo);
          await updatePosition(tx, known.id, position);
        } else await receiveWithPost(deps, tx, post, photo, position);
      }
    },
    describe: (tx, postId) => listDescriptions(tx, postId),
    arrange: (tx, post, given) => arrange(deps, tx, post, given),
    copy: (postId) => copyFiles(deps, postId),
    release: (tx, postId, copies) => releasePhotos(deps, tx, postId, copies),
  };
}

/** A post to further aspects would show the photo to more people than it was uploaded for. */
function isWithin(
  aspectId: AspectId,
  { aspects = [], limitedTo }: Parameters<PostPhotos["check"]>[1],
): boolean {
  if (limitedTo === "self") return true;
  return aspects.length === 1 && aspects[0]?.id === aspectId;
}

async function checkPending(
  tx: Tx,
  post: Parameters<PostPhotos["check"]>[1],
  ids: ReadonlySet<PhotoId>,
): Promise<void> {
  if (ids.size === 0) return;
  refuseMore(ids.size);
  const waiting = await listWaiting(tx, post.personId, [...ids]);
  if (waiting.length < ids.size) throw unknownPhoto();
  for (const { aspectId } of waiting)
    if (aspectId !== null && !isWithin(aspectId, post))
      throw new KithError(
        "bad_request",
        "A photo was uploaded for another aspect.",
      );
}

function refuseMore(count: number): void {
  if (count > MAX_PHOTOS)
    throw new KithError(
      "bad_request",
      `A post has at most ${MAX_PHOTOS} photos.`,
    );
}

async function arrange(
  deps: PostPhotosDeps,
  tx: Tx,
  post: Parameters<PostPhotos["arrange"]>[1],
  given: readonly PhotoId[],
): Promise<PhotoId[]> {
  const wanted = [...new Set(given)];
  refuseMore(wanted.length);
  const present = await listPhotosIn(tx, post.id);
  const known = new Set(present.map(({ id }) => id));
  const added = wanted.filter((id) => !known.has(id));
  await checkPending(tx, post, new Set(added));
  for (const photo of present)
    if (!wanted.includes(photo.id)) await retractPhoto(deps, tx, photo);
  const now = timestamp(deps.clock.now());
  for (const [position, id] of wanted.entries()) {
    const isThere = known.has(id)
      ? await updatePosition(tx, id, position)
      : await updatePost(tx, id, post.id, position, now);
    if (!isThere) throw unknownPhoto();
  }
  return added;
}

function unknownPhoto(): KithError {
  return new KithError("not_found", "No such photo without a post.");
}

async function receiveWithPost(
  { clock, retractions }: PostPhotosDeps,
  tx: Tx,
  { id: postId, personId }: PostOfPhotos,
  received: ReceivedPhoto,
  position: number,
): Promise<void> {
  const now = timestamp(clock.now());
  const photo = remotePhoto(received, personId);
  const { guid } = photo;
  const thing = { kind: "Photo", guid, personId, uri: null } as const;
  if (await retractions.isRetracted(tx, thing)) return;
  const row = { ...photo, position, postId };
  if ((await insertPhoto(tx, row, now)) !== undefined) return;
  const known = await findPhoto(tx, { guid });
  // It arrived before its post.
  if (known?.personId === personId && known.remote && known.postId === null) {
    await updateRemotePhoto(tx, known.id, { ...photo, editedAt: null }, now);
    await updatePost(tx, known.id, postId, position, now);
  }
  // A Guid that is taken by another photo is replaced by a new one.
  else await insertPhoto(tx, { ...row, guid: newGuid() }, now);
}

/** Applies changes to the description or dimensions of a photo at an unchanged address. */
async function renew(
  { clock }: PostPhotosDeps,
  tx: Tx,
  known: Photo & { readonly editedAt: Timestamp | null },
  received: ReceivedPhoto,
): Promise<void> {
  const { editedAt } = known;
  const photo = remotePhoto(received, known.personId);
  const isSame =
    photo.text === known.text &&
    photo.width === known.width &&
    photo.height === known.height &&
    photo.playback?.durationMs === known.playback?.durationMs &&
    photo.focus?.join() === known.focus?.join();
  if (isSame) return;
  const now = timestamp(clock.now());
  await updateRemotePhoto(tx, known.id, { ...photo, editedAt }, now);
}

/**
 * Attaches photos by the post's author that arrived before it and name it. A limited photo
 * is not attached to a public post.
 */
async function takeWaiting(
  { clock }: PostPhotosDeps,
  tx: Tx,
  post: PostOfPhotos,
  count: number,
): Promise<void> {
  const now = timestamp(clock.now());
  let position = count;
  for (const { id, limited } of await listAwaiting(tx, post, MAX_PHOTOS)) {
    if (position >= MAX_PHOTOS) return;
    if (limited && post.public) continue;
    if (await updatePost(tx, id, post.id, position, now)) position += 1;
  }
}
