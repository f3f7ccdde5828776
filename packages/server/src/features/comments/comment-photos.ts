import type { Tx } from "../../db/db.ts";
import type { PersonId, PhotoId } from "../ids.ts";
import type { PhotoCopies, Post, ReceivedPhoto } from "../posts/index.ts";
import type { DescribedPhoto } from "../texts/index.ts";
import type { Comment } from "./comment-store.ts";

const SENSITIVE = "NSFW";

/** A warning alone hides the pictures of a comment: sensitive ones without any get one. */
export function warnOfPictures(
  warning: string | null,
  isSensitive: boolean | undefined,
  { length }: readonly unknown[],
): string | null {
  return warning ?? (isSensitive && length > 0 ? SENSITIVE : null);
}

/** A comment on its post. */
type CommentOfPhotos = Pick<Comment, "id" | "personId" | "postId">;

/** The use cases of photos that comments need. Injected, because photos depend on comments. */
export type CommentPhotos = {
  /**
   * Checks that these pictures may be attached to a new comment on the post.
   * @throws {KithError} `not_found` for one that is not the author's or no longer pending,
   *   `bad_request` for too many, or one for an aspect that is not the post's
   */
  check(
    tx: Tx,
    post: Pick<Post, "aspects" | "limitedTo">,
    author: PersonId,
    photoIds: readonly PhotoId[],
  ): Promise<void>;
  /**
   * Attaches checked pictures to the new comment, in this order.
   * @throws {KithError} `not_found` for one that something else took meanwhile
   */
  attach(
    tx: Tx,
    comment: CommentOfPhotos,
    photoIds: readonly PhotoId[],
  ): Promise<void>;
  /** Stores the pictures of a new remote comment; those without a web address are left out. */
  receive(
    tx: Tx,
    comment: CommentOfPhotos,
    photos: readonly ReceivedPhoto[],
  ): Promise<void>;
  /** Replaces the pictures of a remote comment: the same address is the same picture. */
  replace(
    tx: Tx,
    comment: CommentOfPhotos,
    photos: readonly ReceivedPhoto[],
  ): Promise<void>;
  /** Lists the pictures of a comment with their descriptions, in order. */
  describe(tx: Tx, comment: CommentOfPhotos): Promise<DescribedPhoto[]>;
  /**
   * Gives a local comment exactly these pictures, in this order: pending ones are attached,
   * and those left out are deleted.
   * @throws {KithError} as `check` does
   */
  arrange(
    tx: Tx,
    post: Pick<Post, "aspects" | "limitedTo">,
    comment: CommentOfPhotos,
    photoIds: readonly PhotoId[],
  ): Promise<void>;
  /** Copies the files of local pictures, outside of a transaction. */
  copy(comment: CommentOfPhotos): Promise<PhotoCopies>;
  /**
   * Lets the copied pictures of a deleted comment wait for something else, and deletes the others
   * with their files, before the comment.
   */
  release(tx: Tx, comment: CommentOfPhotos, copies: PhotoCopies): Promise<void>;
};
