import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { Tx } from "../../db/db.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Facts } from "../facts.ts";
import type { CommentPhotos } from "../comments/index.ts";
import type { AspectId, PersonId, PhotoId } from "../ids.ts";
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
  deletePhoto,
  deletePhotosBelow,
  deleteRemoteExcept,
  insertPhoto,
  updatePlace,
  updatePosition,
  updateRemotePhoto,
} from "./photo-store.ts";
import type { Photo, PhotoPlace } from "./photo.ts";
import { copyFiles, releasePhotos } from "./release-photos.ts";
import { retractPhoto } from "./retract-photo.ts";
import { hasWebAddress, MAX_PHOTOS, remotePhoto } from "./remote-photo.ts";

type AttachDeps = PhotoFilesDeps & { readonly retractions: Retractions };
type PostPhotosDeps = AttachDeps & {
  readonly facts: Facts;
  readonly indexing: Pick<Indexing, "renewPost">;
};
type PostOfPhotos = Parameters<PostPhotos["receive"]>[1];
type CommentOfPhotos = Parameters<CommentPhotos["receive"]>[1];

/** The place of the photos, and their author. */
type Attached = { readonly place: PhotoPlace; readonly personId: PersonId };

const ofPost = ({ id, personId }: Pick<PostOfPhotos, "id" | "personId">) => ({
  ...{ place: { postId: id, commentId: null }, personId },
});

const ofComment = ({ id, postId, personId }: CommentOfPhotos) => ({
  ...{ place: { postId, commentId: id }, personId },
});

/** Attaches, replaces and deletes the photos of posts, within the posts' transactions. */
export function createPostPhotos(deps: PostPhotosDeps): PostPhotos {
  return {
    check: (tx, post, given) => checkPending(tx, post, new Set(given)),
    attach: (tx, postId, given) =>
      attach(deps, tx, { postId, commentId: null }, given),
    receive: async (tx, post, received) => {
      const count = await receiveAll(deps, tx, ofPost(post), received);
      const { guid } = post;
      if (guid !== null) await takeWaiting(deps, tx, { ...post, guid }, count);
    },
    replace: (tx, post, received) =>
      replaceAll(deps, tx, ofPost(post), received),
    describe: (tx, postId) => listDescriptions(tx, { postId, commentId: null }),
    arrange: (tx, post, given) =>
      arrange(deps, tx, { ...ofPost(post), post }, given, (photo) =>
        retractPhoto(deps, tx, photo),
      ),
    copy: (postId) => copyFiles(deps, { postId, commentId: null }),
    release: (tx, postId, copies) =>
      releasePhotos(deps, tx, { postId, commentId: null }, copies),
    removeBelow: async (tx, postIds) =>
      removeFilesLater(deps, tx, await deletePhotosBelow(tx, postIds)),
  };
}

/** The same for comments, whose photos other servers get with the comment alone. */
export function createCommentPhotos(deps: AttachDeps): CommentPhotos {
  return {
    check: (tx, { aspects, limitedTo }, personId, given) =>
      checkPending(tx, { personId, aspects, limitedTo }, new Set(given)),
    attach: (tx, comment, given) =>
      attach(deps, tx, ofComment(comment).place, given),
    receive: async (tx, comment, received) => {
      await receiveAll(deps, tx, ofComment(comment), received);
    },
    replace: (tx, comment, received) =>
      replaceAll(deps, tx, ofComment(comment), received),
    describe: (tx, comment) => listDescriptions(tx, ofComment(comment).place),
    arrange: async (tx, { aspects, limitedTo }, comment, given) => {
      const { place, personId } = ofComment(comment);
      const post = { personId, aspects, limitedTo };
      await arrange(deps, tx, { place, post }, given, async ({ id }) => {
        const deleted = await deletePhoto(tx, id);
        if (deleted) await removeFilesLater(deps, tx, [deleted]);
      });
    },
    copy: (comment) => copyFiles(deps, ofComment(comment).place),
    release: (tx, comment, copies) =>
      releasePhotos(deps, tx, ofComment(comment).place, copies),
  };
}

async function attach(
  { clock }: AttachDeps,
  tx: Tx,
  place: PhotoPlace,
  given: readonly PhotoId[],
): Promise<void> {
  const now = timestamp(clock.now());
  for (const [position, id] of [...new Set(given)].entries())
    if (!(await updatePlace(tx, id, place, position, now)))
      throw unknownPhoto();
}

/** @returns how many there are */
async function receiveAll(
  deps: AttachDeps,
  tx: Tx,
  to: Attached,
  received: readonly ReceivedPhoto[],
): Promise<number> {
  const usable = received.filter(hasWebAddress).slice(0, MAX_PHOTOS);
  for (const [position, photo] of usable.entries())
    await receiveAt(deps, tx, to, photo, position);
  return usable.length;
}

async function replaceAll(
  deps: AttachDeps,
  tx: Tx,
  to: Attached,
  received: readonly ReceivedPhoto[],
): Promise<void> {
  const usable = received.filter(hasWebAddress).slice(0, MAX_PHOTOS);
  const urls = usable.map(({ url }) => new URL(url).href);
  const gone = await deleteRemoteExcept(tx, to.place, urls);
  await removeFilesLater(deps, tx, gone);
  const left = await listRemotePhotos(tx, to.place);
  for (const [position, photo] of usable.entries()) {
    const { href } = new URL(photo.url);
    const at = left.findIndex(({ remote }) => remote?.url === href);
    const [known] = at === -1 ? [] : left.splice(at, 1);
    if (known) {
      await renew(deps, tx, known, photo);
      await updatePosition(tx, known.id, position);
    } else await receiveAt(deps, tx, to, photo, position);
  }
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
      `A post or comment has at most ${MAX_PHOTOS} photos.`,
    );
}

async function arrange(
  deps: AttachDeps,
  tx: Tx,
  at: {
    readonly place: PhotoPlace;
    readonly post: Parameters<PostPhotos["check"]>[1];
  },
  given: readonly PhotoId[],
  remove: (photo: Photo) => Promise<unknown>,
): Promise<PhotoId[]> {
  const { place, post } = at;
  const wanted = [...new Set(given)];
  refuseMore(wanted.length);
  const present = await listPhotosIn(tx, place);
  const known = new Set(present.map(({ id }) => id));
  const added = wanted.filter((id) => !known.has(id));
  await checkPending(tx, post, new Set(added));
  for (const photo of present)
    if (!wanted.includes(photo.id)) await remove(photo);
  const now = timestamp(deps.clock.now());
  for (const [position, id] of wanted.entries()) {
    const isThere = known.has(id)
      ? await updatePosition(tx, id, position)
      : await updatePlace(tx, id, place, position, now);
    if (!isThere) throw unknownPhoto();
  }
  return added;
}

function unknownPhoto(): KithError {
  return new KithError("not_found", "No such photo without a post.");
}

async function receiveAt(
  { clock, retractions }: AttachDeps,
  tx: Tx,
  { place, personId }: Attached,
  received: ReceivedPhoto,
  position: number,
): Promise<void> {
  const now = timestamp(clock.now());
  const photo = remotePhoto(received, personId);
  const { guid } = photo;
  const thing = { kind: "Photo", guid, personId, uri: null } as const;
  if (await retractions.isRetracted(tx, thing)) return;
  const row = { ...photo, position, ...place };
  if ((await insertPhoto(tx, row, now)) !== undefined) return;
  const known = await findPhoto(tx, { guid });
  // It arrived before its post.
  if (known?.personId === personId && known.remote && known.postId === null) {
    await updateRemotePhoto(tx, known.id, { ...photo, editedAt: null }, now);
    await updatePlace(tx, known.id, place, position, now);
  }
  // A Guid that is taken by another photo is replaced by a new one.
  else await insertPhoto(tx, { ...row, guid: newGuid() }, now);
}

/** Applies changes to the description or dimensions of a photo at an unchanged address. */
async function renew(
  { clock }: AttachDeps,
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
  { clock }: AttachDeps,
  tx: Tx,
  post: PostOfPhotos & { readonly guid: string },
  count: number,
): Promise<void> {
  const now = timestamp(clock.now());
  const { place } = ofPost(post);
  let position = count;
  for (const { id, limited } of await listAwaiting(tx, post, MAX_PHOTOS)) {
    if (position >= MAX_PHOTOS) return;
    if (limited && post.public) continue;
    if (await updatePlace(tx, id, place, position, now)) position += 1;
  }
}
