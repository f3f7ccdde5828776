import type { Reader } from "../../../db/db.ts";
import type { Comment, Comments } from "../../../features/comments/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { People } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import type { Uris } from "./uris.ts";

export type ObjectsDeps = {
  readonly people: Pick<People, "find">;
  readonly posts: Posts;
  readonly comments: Comments;
  readonly uris: Uris;
};

/** The stored object of an object id. */
export type Known =
  | { readonly kind: "post"; readonly post: Post }
  | { readonly kind: "comment"; readonly comment: Comment };

/** Finds a stored post or comment, local or remote, by its object id. */
export async function findKnown(
  deps: ObjectsDeps,
  uri: string,
  reader?: Reader,
): Promise<Known | undefined> {
  const { posts, comments, uris } = deps;
  if (uris.isLocal(uri)) return findOurs(deps, uri, reader);
  const post = await posts.find({ uri }, reader);
  if (post) return { kind: "post", post };
  const comment = await comments.find({ uri }, reader);
  return comment && { kind: "comment", comment };
}

/** Ids of this server name local objects only: remote ones also have guids. */
async function findOurs(
  deps: ObjectsDeps,
  uri: string,
  reader?: Reader,
): Promise<Known | undefined> {
  const { people, posts, comments, uris } = deps;
  const guid = uris.guidOfObject(uri) ?? uris.guidOfActivity(uri);
  if (guid === undefined) return undefined;
  const isHere = async (id: PersonId) =>
    (await people.find({ id }, reader))?.userId != null;
  const post = await posts.find({ guid }, reader);
  if (post && (await isHere(post.personId))) return { kind: "post", post };
  const comment = await comments.find({ guid }, reader);
  if (!comment) return undefined;
  const isOurs =
    (await isHere(comment.personId)) ||
    (await isPassedOn(deps, comment, reader));
  return isOurs ? { kind: "comment", comment } : undefined;
}

/**
 * Is it a message that came over diaspora*? Those on ActivityPub got it in the name of the person
 * here who started the conversation.
 */
async function isPassedOn(
  { people, posts }: ObjectsDeps,
  { postId, uri }: Comment,
  reader?: Reader,
): Promise<boolean> {
  if (uri !== null) return false;
  const post = await posts.find({ id: postId }, reader);
  if (!post || post.participants === null) return false;
  return (await people.find({ id: post.personId }, reader))?.userId != null;
}
