import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database } from "../../db/schema/schema.ts";
import { isNotBlockedByAuthor, isNotBlockedOrIgnored } from "./blocks.ts";
import {
  isPostHiddenBy,
  isPostVisibleTo,
  POST_AUTHORS,
} from "./post-visibility.ts";
import type { Viewer } from "./viewer.ts";

/**
 * May the viewer see the post, and does it belong in a list? Private conversations have
 * lists of their own. Unlisted public posts belong only in the lists of their author and its contacts. Posts that the viewer hid
 * do not, nor do posts by people whom the viewer ignores or blocks, or who block the viewer.
 */
export function appearsTo(viewer: Viewer) {
  return (eb: ExpressionBuilder<Database, "posts">): Expression<SqlBool> => {
    const isListed = eb("posts.listed", "=", true);
    if (viewer === null) return eb.and([isPostVisibleTo(null)(eb), isListed]);
    return eb.and([
      isPostVisibleTo(viewer)(eb),
      eb("posts.participants", "is", null),
      eb.or([
        eb("posts.public", "=", false),
        isListed,
        eb("posts.person_id", "=", viewer.personId),
        isByContact(eb, viewer),
      ]),
      eb.not(isPostHiddenBy(viewer.userId)),
      isNotBlockedOrIgnored(viewer.personId, POST_AUTHORS),
      isNotBlockedByAuthor(viewer.personId, POST_AUTHORS),
    ]);
  };
}

type Eb = ExpressionBuilder<Database, "posts">;

function isByContact(eb: Eb, { userId }: NonNullable<Viewer>) {
  if (userId === null) return eb.lit(false);
  return eb.exists(
    eb
      .selectFrom("contacts")
      .select("contacts.id")
      .whereRef("contacts.person_id", "=", "posts.person_id")
      .where("contacts.user_id", "=", userId)
      .where("contacts.following", "=", true),
  );
}
