import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import { refuseMoved } from "../moved.ts";
import type { Comment, Comments } from "../comments/index.ts";
import type { PhotoId } from "../ids.ts";
import type { Tx } from "../../db/db.ts";
import type { Amend, Author, Posts } from "../posts/index.ts";
import type { PhotoFilesDeps } from "./photo-files.ts";
import { findOwnPhoto } from "./photo-queries.ts";
import { updateDescription } from "./photo-store.ts";
import type { Focus, Photo, PhotoKey, PhotoPlace } from "./photo.ts";
import { checkDescription } from "./upload-photo.ts";

export type DescribeDeps = Pick<PhotoFilesDeps, "db" | "clock"> & {
  readonly facts: Facts;
  readonly comments: Pick<Comments, "changePicture">;
  readonly posts: Pick<Posts, "changePicture">;
};

/** The fields to change; absent ones stay as they are. */
export type Description = {
  /** The alternative text. */
  readonly text?: string | undefined;
  readonly focus?: Focus | null | undefined;
};

/**
 * Changes the description and the focal point of a user's own photo. With a post or a comment, it is an
 * edit of that.
 * @throws {KithError} `not_found`, also for a photo of another person, `bad_request`
 */
export async function describePhoto(
  { db, clock, comments, facts, posts }: DescribeDeps,
  owner: Author,
  key: PhotoKey,
  { text, focus }: Description,
): Promise<Photo> {
  const checked = text === undefined ? undefined : checkDescription(text);
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, owner.personId);
    const find = async () => {
      const found = await findOwnPhoto(tx, key, owner.personId);
      if (!found) throw new KithError("not_found", "No such photo.");
      return found;
    };
    const before = await find();
    const { id, postId, commentId } = before;
    const after = {
      text: checked ?? before.text,
      focus: focus === undefined ? before.focus : focus,
    };
    if (isSame(before, after)) return before;
    const describe = () =>
      updateDescription(tx, id, after, timestamp(clock.now()));
    if (postId === null) await describe();
    else if (commentId !== null)
      await comments.changePicture(tx, owner, commentId, { change: describe });
    else {
      await posts.changePicture(tx, postId, { change: describe });
      const { personId: by } = owner;
      const photoIds = [id];
      await facts.record(tx, { type: "post.changed", postId, by, photoIds });
    }
    return find();
  });
  return notFoundIfGone(writing);
}

/**
 * Describes pictures of the post that is edited, as part of that edit.
 * @throws {KithError} `not_found` for a picture that is not one of the post; from the callback
 */
export function amendPictures(
  deps: AmendDeps,
  descriptions: ReadonlyMap<PhotoId, Description>,
): Amend {
  return async (tx, { id: postId, personId }) => {
    const at = { personId, postId, commentId: null };
    const photoIds = await amendAt(deps, tx, at, descriptions);
    return { isChanged: false, photoIds };
  };
}

/** The same for the comment that is edited. */
export function amendPicturesOfComment(
  deps: AmendDeps,
  descriptions: ReadonlyMap<PhotoId, Description>,
) {
  return (
    tx: Tx,
    { id: commentId, postId, personId }: Comment,
  ): Promise<unknown> =>
    amendAt(deps, tx, { personId, postId, commentId }, descriptions);
}

type AmendDeps = Pick<DescribeDeps, "clock">;

/** @returns the pictures that were changed */
async function amendAt(
  { clock }: AmendDeps,
  tx: Tx,
  { personId, ...place }: PhotoPlace & Pick<Photo, "personId">,
  descriptions: ReadonlyMap<PhotoId, Description>,
): Promise<PhotoId[]> {
  const photoIds: PhotoId[] = [];
  for (const [id, { text, focus }] of descriptions) {
    const before = await findOwnPhoto(tx, { id }, personId);
    if (before?.postId !== place.postId || before.commentId !== place.commentId)
      throw new KithError("not_found", "No such photo.");
    const after = {
      text: text === undefined ? before.text : checkDescription(text),
      focus: focus === undefined ? before.focus : focus,
    };
    if (isSame(before, after)) continue;
    await updateDescription(tx, id, after, timestamp(clock.now()));
    photoIds.push(id);
  }
  return photoIds;
}

type Described = Pick<Photo, "text" | "focus">;

function isSame(before: Described, after: Described): boolean {
  return (
    before.text === after.text && before.focus?.join() === after.focus?.join()
  );
}
