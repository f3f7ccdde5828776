import { readPostLanguage } from "../../kit/language-input.ts";
import type { Viewer } from "../../../features/visibility/index.ts";
import { Type } from "../../../lib/json-schema.ts";
import type { Comment, CommentKey } from "../../../features/comments/index.ts";
import type { CommentId, PhotoId } from "../../../features/ids.ts";
import { checkWarning } from "../../../features/posts/index.ts";
import { text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { findByIdOrGuid } from "../../kit/identifiers.ts";
import { getPost, LANGUAGE_WORDS } from "./posts-routes.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import { presentFiltered } from "../../schemas/filter-records.ts";
import {
  presentComment,
  presentPhotos,
  presentReactions,
  type WireRecord,
} from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

const CREATE = Type.Object({
  comment: text("The text, in Markdown"),
  text: text("Another name of comment"),
  content_warning: text("What the comment warns of before it is read"),
  language: text(LANGUAGE_WORDS),
  parent_guid: text("The comment on the same post that this one answers"),
  photoID: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      description: "Pictures of the user's to attach, uploaded before",
    }),
  ),
});

/** Gets a comment that the viewer may see. @throws {KithError} `not_found` */
export async function getComment(
  { comments }: PresentPostsDeps,
  identifier: string,
  viewer: Viewer,
): Promise<Comment> {
  const comment = await findByIdOrGuid<CommentId, Comment>(
    identifier,
    (key: CommentKey) => comments.findVisible(key, viewer),
  );
  if (!comment) throw new KithError("not_found", "No such comment.");
  return comment;
}

export function commentsRoutes(deps: PresentPostsDeps): ApiRoute[] {
  const { comments } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listComments",
      path: "/posts/:id/comments",
      summary: "Lists the comments on a post, oldest first.",
      input: NO_INPUT,
      output: listOf("Comment"),
      handle: async ({ user, path, page }) => {
        const post = await getPost(deps, path("id"), user);
        const found = await comments.list(post.id, page, user);
        return presentComments(deps, found, user);
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "createComment",
      path: "/posts/:id/comments",
      summary: "Comments on a post.",
      input: CREATE,
      needs: [["comment", "text"]],
      output: one("Comment"),
      handle: async ({ user, path, input }) => {
        const post = await getPost(deps, path("id"), user);
        const comment = await comments.create({
          author: user,
          on: { id: post.id },
          text: input.comment ?? input.text ?? "",
          warning: checkWarning(input.content_warning),
          language: readPostLanguage(input.language),
          photoIds: (input.photoID ?? []) as PhotoId[],
          ...(input.parent_guid ? { parentGuid: input.parent_guid } : {}),
        });
        return presentOne(deps, comment, user);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "showComment",
      path: "/comments/:id",
      summary: "Shows a comment.",
      input: NO_INPUT,
      output: one("Comment"),
      handle: async ({ user, path }) =>
        presentOne(deps, await getComment(deps, path("id"), user), user),
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:statuses",
      name: "deleteComment",
      path: "/comments/:id",
      summary: "Deletes your own comment, or any comment on your own post.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const found = await findByIdOrGuid<CommentId, Comment>(
          path("id"),
          (key) => comments.findRetractable(key, user.personId),
        );
        if (!found) throw new KithError("not_found", "No such comment.");
        await comments.remove(user, found.guid);
        return {};
      },
    }),
  ];
}

async function presentOne(
  deps: PresentPostsDeps,
  comment: Comment,
  viewer: Viewer,
): Promise<WireRecord> {
  const [record] = await presentComments(deps, [comment], viewer);
  if (!record) throw new Error("The comment cannot be presented");
  return record;
}

export async function presentComments(
  { people, photos, likes, filters, reactions }: PresentPostsDeps,
  list: readonly Comment[],
  viewer: Viewer,
): Promise<WireRecord[]> {
  const authors = await people.listById(list.map(({ personId }) => personId));
  const ids = list.map(({ id }) => id);
  const counts = await likes.count("Comment", ids);
  const reacted = await reactions.count("Comment", ids, viewer);
  const attached = await photos.listOfComments(ids);
  const filtered = await filters.matchComments(list, viewer);
  return list.map((comment) => ({
    ...presentComment(
      comment,
      authors.get(comment.personId),
      counts.get(comment.id)?.likes ?? 0,
    ),
    ...presentPhotos(attached.get(comment.id), photos.urlOf),
    ...presentReactions(reacted.get(comment.id)),
    ...presentFiltered(filtered.get(comment.id)),
  }));
}
