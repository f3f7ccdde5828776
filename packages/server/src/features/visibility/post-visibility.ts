import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
} from "kysely";
import type { Viewer } from "./viewer.ts";
import type { Database } from "../../db/schema/schema.ts";
import {
  isNotBlockedByAuthorAmongMany,
  isNotBlockedByAuthor,
} from "./blocks.ts";
import { isNotSuspendedAmongMany, isNotSuspended } from "./suspensions.ts";
import type { PersonId, UserId } from "../ids.ts";

/** The author, and the author of the reshared root. */
export const POST_AUTHORS = ["posts.person_id", "posts.root_person_id"];

/**
 * The one rule for who may see a post and everything that belongs to it: comments, likes,
 * reshares, notifications. A condition on `posts`, so that a hidden row never leaves the
 * database. It costs look-ups by primary key alone.
 *
 * - Authors always see their own posts.
 * - People whom the author blocks see none of the author's posts while signed in: neither
 *   public ones, nor those they received before, nor by a link; nor reshares of them by
 *   others, because a reshare is nothing but its root.
 * - Everyone sees public posts, also without a session. The recipients recorded at
 *   publication see limited ones.
 * - Posts of suspended authors and blocked servers are hidden from everyone, and so are
 *   reshares of them, except from the person who reshared.
 *
 * Only the author's block counts. A comment by another person who blocks the viewer is
 * shown with the post.
 */
export function isPostVisibleTo(viewer: Viewer) {
  return (eb: ExpressionBuilder<Database, "posts">): Expression<SqlBool> => {
    const isPublic = eb("posts.public", "=", true);
    if (viewer === null)
      return eb.and([isPublic, isNotSuspended(POST_AUTHORS)]);
    const { personId } = viewer;
    return eb.or([
      eb("posts.person_id", "=", personId),
      eb.and([
        eb.or([isPublic, isRecipient(eb, personId)]),
        isNotBlockedByAuthor(personId, POST_AUTHORS),
        isNotSuspended(POST_AUTHORS),
      ]),
    ]);
  };
}

/**
 * The same rule for a query that counts the many reshares of one visible post: the
 * author of the root needs no second check.
 */
export function isPostVisibleAmongMany(viewer: Viewer) {
  return (eb: ExpressionBuilder<Database, "posts">): Expression<SqlBool> => {
    const isPublic = eb("posts.public", "=", true);
    const isAuthorShown = isNotSuspendedAmongMany("posts.person_id");
    if (viewer === null) return eb.and([isPublic, isAuthorShown]);
    const { personId } = viewer;
    return eb.or([
      eb("posts.person_id", "=", personId),
      eb.and([
        eb.or([isPublic, isRecipient(eb, personId)]),
        isNotBlockedByAuthorAmongMany(personId, "posts.person_id"),
        isAuthorShown,
      ]),
    ]);
  };
}

function isRecipient(eb: ExpressionBuilder<Database, "posts">, to: PersonId) {
  return eb.exists(
    eb
      .selectFrom("post_recipients")
      .select("post_recipients.post_id")
      .whereRef("post_recipients.post_id", "=", "posts.id")
      .where("post_recipients.person_id", "=", to),
  );
}

/** Has the user hidden the post, or the root that it reshares? */
export function isPostHiddenBy(userId: UserId | null): RawBuilder<SqlBool> {
  const user = userId ?? -1;
  return sql<SqlBool>`(exists (select 1 from hidden_posts
      where hidden_posts.user_id = ${user}
        and hidden_posts.post_id = posts.id)
    or posts.root_guid is not null and exists (select 1 from posts as hidden_root
      join hidden_posts on hidden_posts.post_id = hidden_root.id
        and hidden_posts.user_id = ${user}
      where hidden_root.guid = posts.root_guid))`;
}
