import type { Comment, Comments } from "../../../features/comments/index.ts";
import type { People } from "../../../features/people/index.ts";
import type { CommentContent } from "../content.ts";
import { loadLinkedPeople } from "./load-linked-people.ts";

export type LoadCommentDeps = {
  readonly comments: Pick<Comments, "find">;
  readonly people: Pick<People, "find" | "listByHandle">;
};

export async function loadComment(
  deps: LoadCommentDeps,
  { parentGuid, text }: Comment,
): Promise<CommentContent> {
  const parent =
    parentGuid === null
      ? undefined
      : await deps.comments.find({ guid: parentGuid });
  const parentAuthor =
    parent && (await deps.people.find({ id: parent.personId }));
  return {
    parent: parent ?? null,
    parentAuthor: parentAuthor ?? null,
    linked: await loadLinkedPeople(deps, [text]),
  };
}
