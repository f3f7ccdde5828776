import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database } from "../../db/schema/schema.ts";
import { isShown } from "./conditions.ts";
import { isVisibleTo, type Viewer } from "../posts/index.ts";

/**
 * The one rule for who may see a picture, a condition on `photos`. The picture
 * of a person who is not suspended: everyone. One that waits for its post: its owner. One of a post:
 * whoever may see the post.
 */
export function isPhotoVisibleTo(viewer: Viewer) {
  return (eb: ExpressionBuilder<Database, "photos">): Expression<SqlBool> => {
    const isProfile = eb.and([
      eb("photos.is_profile", "=", true),
      isShown(["photos.person_id"]),
    ]);
    const ofVisiblePost = eb.exists(
      eb
        .selectFrom("posts")
        .select("posts.id")
        .whereRef("posts.id", "=", "photos.post_id")
        .where((post) => isVisibleTo(viewer)(post)),
    );
    if (viewer === null) return eb.or([isProfile, ofVisiblePost]);
    return eb.or([
      isProfile,
      eb("photos.person_id", "=", viewer.personId).and(
        "photos.post_id",
        "is",
        null,
      ),
      ofVisiblePost,
    ]);
  };
}
