import type { RemoteFile } from "../../db/schema/columns/remote-file.ts";
import type { Tx } from "../../db/db.ts";
import type { PhotoId, PostId } from "../ids.ts";
import type { DescribedPhoto } from "../texts/index.ts";
import type { Post } from "./post.ts";

/** A file of a remote post. It remains on the remote server. */
export type ReceivedPhoto = RemoteFile;

/** The use cases of photos that posts need. Injected, because photos depend on posts. */
export type PostPhotos = {
  /**
   * Checks that these pictures may be attached to a new post.
   * @throws {KithError} `not_found` for one that is not the author's or no longer pending,
   *   `bad_request` for too many, or one for another aspect
   */
  check(
    tx: Tx,
    post: Pick<Post, "personId"> & Partial<Pick<Post, "aspects" | "limitedTo">>,
    photoIds: readonly PhotoId[],
  ): Promise<void>;
  /**
   * Attaches checked pictures to the new post, in this order.
   * @throws {KithError} `not_found` for one that another post took meanwhile
   */
  attach(tx: Tx, postId: PostId, photoIds: readonly PhotoId[]): Promise<void>;
  /**
   * Stores the pictures of a new remote post, including those that arrived before it;
   * anything that is not a web address is left out.
   */
  receive(
    tx: Tx,
    post: Pick<Post, "id" | "personId" | "public"> & {
      /** null if it was generated just now, so that no picture waits for it. */
      readonly guid: string | null;
    },
    photos: readonly ReceivedPhoto[],
  ): Promise<void>;
  /**
   * Replaces the pictures of a remote post with its current ones: a picture with the same
   * address is the same picture.
   */
  replace(
    tx: Tx,
    post: Pick<Post, "guid" | "id" | "personId" | "public">,
    photos: readonly ReceivedPhoto[],
  ): Promise<void>;
  /** Lists the pictures of a post with their descriptions, in order. */
  describe(tx: Tx, postId: PostId): Promise<DescribedPhoto[]>;
  /**
   * Gives a local post exactly these pictures, in this order: pending ones are attached,
   * and those left out are retracted.
   * @returns those that were attached
   * @throws {KithError} as `check` does
   */
  arrange(
    tx: Tx,
    post: Pick<Post, "id" | "personId" | "aspects" | "limitedTo">,
    photoIds: readonly PhotoId[],
  ): Promise<PhotoId[]>;
  /** Copies the files of local pictures, outside of a transaction. */
  copy(postId: PostId): Promise<PhotoCopies>;
  /**
   * Lets the copied pictures of a deleted post wait for another one, and removes the others,
   * also those of its comments.
   */
  release(tx: Tx, postId: PostId, copies: PhotoCopies): Promise<void>;
  /** Deletes all pictures of posts and of their comments, before the posts. */
  removeBelow(tx: Tx, postIds: readonly PostId[]): Promise<void>;
};

/** The new Guids of copied pictures. */
export type PhotoCopies = ReadonlyMap<PhotoId, string>;
