import type { Comment, Comments } from "../../../features/comments/index.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import type { CommentContent } from "../content.ts";
import { loadLinkedPeople } from "./load-linked-people.ts";

export type LoadCommentDeps = {
  readonly comments: Pick<Comments, "find">;
  readonly people: Pick<People, "find" | "listByHandle">;
  readonly quotes: Pick<Quotes, "findUsualPolicy">;
};

export async function loadComment(
  deps: LoadCommentDeps,
  { parentGuid, text }: Comment,
  { userId }: Pick<Person, "userId">,
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
    quotableBy:
      userId === null ? "everyone" : await deps.quotes.findUsualPolicy(userId),
    linked: await loadLinkedPeople(deps, [text]),
  };
}
