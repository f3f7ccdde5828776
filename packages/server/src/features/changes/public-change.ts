import type { PersonId, PostId } from "../ids.ts";
import type { People } from "../people/index.ts";
import type { Photos } from "../photos/index.ts";
import type { Post, Posts } from "../posts/index.ts";
import type { Texts } from "../texts/index.ts";
import type { Change } from "./change.ts";

/** A change of a listed public post. */
export type PublicEvent = {
  readonly type: "post" | "edit" | "deletion";
  readonly postId: PostId;
  /** Is its author from here? */
  readonly isLocal: boolean;
  /** Has it pictures? Of a deleted post: perhaps. */
  readonly hasPhotos: boolean;
  /** As returned by `foldTag`. */
  readonly tags: ReadonlySet<string>;
};

/** The event with what decides about its readers. */
export type ReadPublicEvent = {
  readonly event: PublicEvent;
  readonly authorId: PersonId;
  /** Undefined if it was deleted. */
  readonly post: Post | undefined;
};

export type PublicChangeDeps = {
  readonly people: Pick<People, "find">;
  readonly photos: Pick<Photos, "listOf">;
  readonly posts: Pick<Posts, "listPublic">;
  readonly texts: Pick<Texts, "listTags">;
};

/** Reads what a change means for lists of public posts: as nobody in particular finds it there. */
export async function readPublicChange(
  deps: PublicChangeDeps,
  change: Change,
): Promise<ReadPublicEvent | undefined> {
  switch (change.kind) {
    case "post":
      // New for some alone, it is not new.
      return change.to === undefined
        ? readPost(deps, change.postId, "post")
        : undefined;
    case "edit":
      return readPost(deps, change.postId, "edit");
    case "removal": {
      const [authorId, root] = change.authors;
      if (change.isListed !== true || authorId === undefined) return undefined;
      if (root !== undefined) return undefined;
      const event = {
        ...({
          type: "deletion",
          postId: change.postId,
          hasPhotos: true,
        } as const),
        isLocal: await isFromHere(deps, authorId),
        tags: new Set(change.tags),
      };
      return { event, authorId, post: undefined };
    }
    default:
      return undefined;
  }
}

async function readPost(
  deps: PublicChangeDeps,
  id: PostId,
  type: "post" | "edit",
): Promise<ReadPublicEvent | undefined> {
  const page = { offset: 0, limit: 1, before: id + 1, after: id - 1 };
  const [post] = await deps.posts.listPublic(null, { reshares: false }, page);
  if (!post) return undefined;
  const [photos, tags, isLocal] = await Promise.all([
    deps.photos.listOf([id]),
    deps.texts.listTags(id),
    isFromHere(deps, post.personId),
  ]);
  const event = {
    ...{ type, postId: id, isLocal },
    ...{ hasPhotos: photos.has(id), tags: new Set(tags) },
  };
  return { event, authorId: post.personId, post };
}

async function isFromHere(
  { people }: PublicChangeDeps,
  id: PersonId,
): Promise<boolean> {
  return (await people.find({ id }))?.userId != null;
}
