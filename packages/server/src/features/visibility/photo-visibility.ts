import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database } from "../../db/schema/schema.ts";
import { isPostVisibleTo } from "./post-visibility.ts";
import { isNotSuspended } from "./suspensions.ts";
import type { Viewer } from "./viewer.ts";

/**
 * The one rule for who may see a photo, a condition on `photos`. Everyone sees the
 * profile pictures of people who are not suspended. The owner sees uploads without
 * a post; the readers of a post see its photos, and those of its comments, but for comments
 * by suspended people.
 */
export function isPhotoVisibleTo(viewer: Viewer) {
  return (eb: ExpressionBuilder<Database, "photos">): Expression<SqlBool> => {
    const isProfile = eb.and([
      eb("photos.is_profile", "=", true),
      isNotSuspended(["photos.person_id"]),
    ]);
    const ofVisiblePost = eb.exists(
      eb
        .selectFrom("posts")
        .select("posts.id")
        .whereRef("posts.id", "=", "photos.post_id")
        .where((post) => isPostVisibleTo(viewer)(post)),
    );
    const isShown = eb.and([
      eb.or([
        eb("photos.comment_id", "is", null),
        isNotSuspended(["photos.person_id"]),
      ]),
      ofVisiblePost,
    ]);
    if (viewer === null) return eb.or([isProfile, isShown]);
    return eb.or([
      isProfile,
      eb("photos.person_id", "=", viewer.personId).and(
        "photos.post_id",
        "is",
        null,
      ),
      isShown,
    ]);
  };
}
