import type { Tx } from "../../db/db.ts";
import type { AspectId, PersonId, PhotoId, PostId } from "../ids.ts";
import type { Post } from "./post.ts";

/** A picture that a post from elsewhere points to. It stays where it is. */
export type ReceivedPhoto = {
  readonly guid?: string | undefined;
  readonly url: string;
  readonly thumbnailUrl?: string | undefined;
  /** The description for those who do not see it. */
  readonly text?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly blurhash?: string | undefined;
  /** What must stay visible where it is cut: x to the right and y upwards, both from -1 to 1. */
  readonly focus?: readonly [x: number, y: number] | undefined;
};

/** What posts need of pictures. Photos know posts, so it is given from outside. */
export type PostPhotos = {
  /**
   * Are these pictures ones that may hang on a new post?
   * @throws {KithError} `not_found` for one that is not the author's or does not
   * wait any more, `bad_request` for too many, or one for another aspect
   */
  check(
    tx: Tx,
    post: {
      readonly personId: PersonId;
      readonly aspectId: AspectId | null;
    },
    photoIds: readonly PhotoId[],
  ): Promise<void>;
  /**
   * Hangs pictures that were checked on the new post, in this order.
   * @throws {KithError} `not_found` for one that another post took meanwhile
   */
  attach(tx: Tx, postId: PostId, photoIds: readonly PhotoId[]): Promise<void>;
  /** Notes the pictures of a new post from elsewhere and those that came before it; what is no web address is left out. */
  receive(
    tx: Tx,
    post: Pick<Post, "guid" | "id" | "personId" | "public">,
    photos: readonly ReceivedPhoto[],
  ): Promise<void>;
  /** Takes over which pictures a post from elsewhere has now: they are the same where they are at the same address. */
  replace(
    tx: Tx,
    post: Pick<Post, "guid" | "id" | "personId" | "public">,
    photos: readonly ReceivedPhoto[],
  ): Promise<void>;
  removeOf(tx: Tx, postId: PostId): Promise<void>;
};
