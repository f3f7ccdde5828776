import type { Reader } from "../../db/db.ts";
import type { Comment, Comments } from "../../features/comments/index.ts";
import type { Post, Posts } from "../../features/posts/index.ts";
import type { FetchOwnDeps } from "./authority/fetch-own.ts";
import type { Uris } from "./uris.ts";

export type ObjectsDeps = FetchOwnDeps & {
  readonly posts: Posts;
  readonly comments: Comments;
  readonly uris: Uris;
};

/** Something known here that an object id names. */
export type Known =
  | { readonly kind: "post"; readonly post: Post }
  | { readonly kind: "comment"; readonly comment: Comment };

/** Looks up a post or comment, of ours or from elsewhere, by its object id. */
export async function findKnown(
  { posts, comments, uris }: ObjectsDeps,
  uri: string,
  reader?: Reader,
): Promise<Known | undefined> {
  const guid = uris.guidOfObject(uri) ?? uris.guidOfActivity(uri);
  if (uris.isLocal(uri) && guid === undefined) return undefined;
  const key = uris.isLocal(uri) && guid !== undefined ? { guid } : { uri };
  const post = await posts.find(key, reader);
  if (post && (!uris.isLocal(uri) || post.uri === null))
    return { kind: "post", post };
  const comment = await comments.find(key, reader);
  return comment && (!uris.isLocal(uri) || comment.uri === null)
    ? { kind: "comment", comment }
    : undefined;
}
