import type { Comment, Comments } from "../../../features/comments/index.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Photos } from "../../../features/photos/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import type { CommentContent } from "../content.ts";
import { loadLinkedPeople } from "./load-linked-people.ts";
import { attachedPhotos, type LoadAttachmentsDeps } from "./load-post.ts";

export type LoadCommentDeps = {
  readonly comments: Pick<Comments, "find">;
  readonly people: Pick<People, "find" | "listByHandle">;
  readonly photos: LoadAttachmentsDeps["photos"] &
    Pick<Photos, "listOfComments">;
  readonly quotes: Pick<Quotes, "findUsualPolicy">;
};

export async function loadComment(
  deps: LoadCommentDeps,
  { id, parentGuid, text }: Comment,
  { post, by }: { readonly post: Post; readonly by: Pick<Person, "userId"> },
): Promise<CommentContent> {
  const parent =
    parentGuid === null
      ? undefined
      : await deps.comments.find({ guid: parentGuid });
  const parentAuthor =
    parent && (await deps.people.find({ id: parent.personId }));
  const { userId } = by;
  const photos = await deps.photos.listOfComments([id]);
  return {
    photos: attachedPhotos(deps, photos.get(id) ?? [], post),
    parent: parent ?? null,
    parentAuthor: parentAuthor ?? null,
    quotableBy:
      userId === null ? "everyone" : await deps.quotes.findUsualPolicy(userId),
    linked: await loadLinkedPeople(deps, [text]),
  };
}
