import { sql, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import { isPostVisibleTo, type Viewer } from "../visibility/index.ts";
import { isReadBy, toComment, type Comment } from "./comment-store.ts";

/** The comments of a person that are listed. */
export type OwnComments = {
  /** Only those with pictures, sounds or videos? */
  readonly withPhotos?: boolean;
};

/** Lists one page of a person's comments on posts that the viewer may see, newest first. */
export async function listCommentsOf(
  reader: Reader,
  personId: PersonId,
  viewer: Viewer,
  page: Page,
  { withPhotos = false }: OwnComments = {},
): Promise<Comment[]> {
  const visible = reader
    .selectFrom("comments")
    .innerJoin("posts", "posts.id", "comments.post_id")
    .selectAll("comments")
    .where("posts.participants", "is", null)
    .where((eb) => isPostVisibleTo(viewer)(eb))
    .where(isReadBy(viewer?.personId ?? null, "comments"));
  if (!withPhotos) {
    const all = visible.where("comments.person_id", "=", personId);
    return (await fetchPage(all, "comments.id", page)).map(toComment);
  }
  // From picture to picture: comments without any are not read.
  const pictured = visible
    .innerJoin("photos", "photos.comment_id", "comments.id")
    .where("photos.person_id", "=", personId)
    .where("photos.comment_id", "is not", null)
    .where(isFirstOfComment);
  return (await fetchPage(pictured, "photos.comment_id", page)).map(toComment);
}

/** A condition on `photos`, by which each comment is found once. */
const isFirstOfComment = sql<SqlBool>`photos.id = (
  select min(same.id) from photos as same
  where same.comment_id = photos.comment_id)`;
