import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
} from "kysely";
import type { Database } from "../../db/schema/schema.ts";
import {
  isOfOpen,
  isOfShown,
  isNotBlockedByAuthor,
  isShown,
} from "./conditions.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Viewer } from "../posts/post.ts";

/** The author, and the author of what the post passes on. */
export const POST_WRITERS = ["posts.person_id", "posts.root_person_id"];

/**
 * The one rule for who may see a post, and with it everything that hangs on the
 * post: comments, likes, reshares, notifications. A condition on `posts`, so
 * that what may not be seen never leaves the database. It costs look-ups by
 * primary key alone.
 *
 * - One's own posts: always.
 * - Nobody sees, signed in, the posts of a person who blocks them: not the public
 *   ones, not those that they were given before, and not by their link. Nor the
 *   reshares of such a post, whoever made them, because a reshare is nothing but
 *   what it passes on.
 * - Else public posts: everyone, also without any name. Others: those whom the
 *   post was given to when it was published.
 *
 * - Whose server is blocked here, by those who run this one, is shown to nobody,
 *   nor are reshares of what they wrote; but to oneself what one passed on.
 *
 * The block that counts is the author's. What somebody who blocks the viewer
 * wrote below the post of a third person is seen with that post.
 */
export function isVisibleTo(viewer: Viewer) {
  return (eb: ExpressionBuilder<Database, "posts">): Expression<SqlBool> => {
    const isPublic = eb("posts.public", "=", true);
    if (viewer === null) return eb.and([isPublic, isShown(POST_WRITERS)]);
    const { personId } = viewer;
    return eb.or([
      eb("posts.person_id", "=", personId),
      eb.and([
        eb.or([isPublic, isGiven(eb, personId)]),
        isNotBlockedByAuthor(personId, POST_WRITERS),
        isShown(POST_WRITERS),
      ]),
    ]);
  };
}

/**
 * The same rule for a query that counts the many reshares of one post that the viewer
 * sees: of the author of that one nothing need be asked again.
 */
export function isVisibleAmongMany(viewer: Viewer) {
  return (eb: ExpressionBuilder<Database, "posts">): Expression<SqlBool> => {
    const isPublic = eb("posts.public", "=", true);
    const isAuthorShown = isOfShown("posts.person_id");
    if (viewer === null) return eb.and([isPublic, isAuthorShown]);
    const { personId } = viewer;
    return eb.or([
      eb("posts.person_id", "=", personId),
      eb.and([
        eb.or([isPublic, isGiven(eb, personId)]),
        isOfOpen(personId, "posts.person_id"),
        isAuthorShown,
      ]),
    ]);
  };
}

function isGiven(eb: ExpressionBuilder<Database, "posts">, to: PersonId) {
  return eb.exists(
    eb
      .selectFrom("post_recipients")
      .select("post_recipients.post_id")
      .whereRef("post_recipients.post_id", "=", "posts.id")
      .where("post_recipients.person_id", "=", to),
  );
}

/**
 * Did the user hide the post, or the one that it passes on? Who wants to see a post no
 * more does not want to see it by another's hand.
 */
export function isHiddenBy(userId: UserId | null): RawBuilder<SqlBool> {
  const user = userId ?? -1;
  return sql<SqlBool>`(exists (select 1 from hidden_posts
      where hidden_posts.user_id = ${user}
        and hidden_posts.post_id = posts.id)
    or posts.root_guid is not null and exists (select 1 from posts as hidden_root
      join hidden_posts on hidden_posts.post_id = hidden_root.id
        and hidden_posts.user_id = ${user}
      where hidden_root.guid = posts.root_guid))`;
}
