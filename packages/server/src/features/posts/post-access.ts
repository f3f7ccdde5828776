import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database } from "../../db/schema.ts";
import type { Viewer } from "./post.ts";

/**
 * The one rule for who may see a post, and with it everything that hangs on the
 * post: comments, likes, reshares, notifications. A condition on `posts`, so
 * that what may not be seen never leaves the database.
 *
 * Public posts: everyone. Others: the author, and those whom it was given to
 * when it was published.
 */
export function isVisibleTo(viewer: Viewer) {
  return (eb: ExpressionBuilder<Database, "posts">): Expression<SqlBool> => {
    const isPublic = eb("posts.public", "=", true);
    if (viewer === null) return isPublic;
    return eb.or([
      isPublic,
      eb("posts.person_id", "=", viewer.personId),
      eb.exists(
        eb
          .selectFrom("post_recipients")
          .select("post_recipients.post_id")
          .whereRef("post_recipients.post_id", "=", "posts.id")
          .where("post_recipients.person_id", "=", viewer.personId),
      ),
    ]);
  };
}
