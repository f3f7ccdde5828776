import type { Comment, Comments } from "../../../features/comments/index.ts";
import type { CommentId, PostId } from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import type { TextPlace, Texts } from "../../../features/texts/index.ts";
import type { Thread } from "../outgoing.ts";

type ThreadDeps = {
  readonly comments: Comments;
  readonly people: People;
  readonly posts: Posts;
  readonly texts: Texts;
};

export async function findThread(
  { people, posts }: Pick<ThreadDeps, "people" | "posts">,
  postId: PostId,
): Promise<Thread | undefined> {
  const post = await posts.find({ id: postId });
  const postAuthor = post && (await people.find({ id: post.personId }));
  return post && postAuthor && { post, postAuthor };
}

/** Lists the participants of a private conversation; undefined for any other post. */
export async function listParticipants(
  { people, posts }: Pick<ThreadDeps, "people" | "posts">,
  post: Post,
): Promise<Person[] | undefined> {
  if (post.participants === null) return undefined;
  const ids = [post.personId, ...(await posts.listRecipientIds(post.id))];
  return [...(await people.listById(ids)).values()];
}

/** Find the comment that is liked; null where the post is liked. */
export async function findLikedComment(
  { comments, people }: Pick<ThreadDeps, "comments" | "people">,
  id: CommentId | null,
): Promise<{ comment: Comment | null; commentAuthor: Person | null }> {
  const comment = id === null ? undefined : await comments.find({ id });
  const author = comment && (await people.find({ id: comment.personId }));
  return { comment: comment ?? null, commentAuthor: author ?? null };
}

/**
 * Lists the people whom a text mentions, or mentioned before an edit, and who were known when
 * it was stored.
 */
export async function listMentionedPeople(
  { people, texts }: Pick<ThreadDeps, "people" | "texts">,
  place: TextPlace,
): Promise<Person[]> {
  const found = await people.listById(await texts.listEverMentioned(place));
  return [...found.values()];
}
