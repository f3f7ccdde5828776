import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import {
  type Viewer,
  isPostVisibleTo,
} from "../../../features/visibility/index.ts";
import type { Reader } from "../../../db/db.ts";
import type { Database } from "../../../db/schema/schema.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Page } from "../../../features/page.ts";

/** The number of a person's activities that this viewer may see. */
export async function countOutbox(
  reader: Reader,
  personId: PersonId,
  viewer: Viewer,
): Promise<number> {
  const { count } = await reader
    .selectFrom(selectActivities(reader, personId, viewer).as("activities"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The guids of one page of them, newest first. */
export async function listOutbox(
  reader: Reader,
  personId: PersonId,
  viewer: Viewer,
  page: Page,
): Promise<string[]> {
  const rows = await reader
    .selectFrom(selectActivities(reader, personId, viewer).as("activities"))
    .select("guid")
    .orderBy("created_at", "desc")
    .orderBy("guid", "desc")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.map(({ guid }) => guid);
}

/**
 * Others see the person's posts, reshares and comments as far as they may. The
 * person sees all activities.
 */
function selectActivities(reader: Reader, personId: PersonId, viewer: Viewer) {
  const published = selectPosts(reader, personId, viewer).unionAll(
    selectComments(reader, personId, viewer),
  );
  if (viewer?.personId !== personId) return published;
  return published
    .unionAll(selectLikes(reader, personId, viewer))
    .unionAll(
      reader
        .selectFrom("sent_activities")
        .select(["guid", "created_at"])
        .where("person_id", "=", personId)
        .where("is_object", "=", false),
    );
}

function selectPosts(reader: Reader, personId: PersonId, viewer: Viewer) {
  return reader
    .selectFrom("posts")
    .select(["posts.guid", "posts.created_at"])
    .where("posts.person_id", "=", personId)
    .where(isPostVisibleTo(viewer))
    .where(isNameable);
}

/** A reshare of an object without an ActivityPub id cannot be expressed. */
export function isNameable(
  eb: ExpressionBuilder<Database, "posts">,
): Expression<SqlBool> {
  return eb.or([
    eb("posts.root_guid", "is", null),
    eb.exists(
      eb
        .selectFrom("posts as root")
        .innerJoin("people as root_author", "root_author.id", "root.person_id")
        .select("root.id")
        .whereRef("root.guid", "=", "posts.root_guid")
        .where((inner) =>
          inner.or([
            inner("root.uri", "is not", null),
            inner("root_author.user_id", "is not", null),
          ]),
        ),
    ),
  ]);
}

function selectComments(reader: Reader, personId: PersonId, viewer: Viewer) {
  return reader
    .selectFrom("comments")
    .innerJoin("posts", "posts.id", "comments.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .select(["comments.guid", "comments.created_at"])
    .where("comments.person_id", "=", personId)
    .where(isPostVisibleTo(viewer))
    .where((eb) =>
      eb.or([
        eb("posts.uri", "is not", null),
        eb("author.user_id", "is not", null),
      ]),
    );
}

function selectLikes(reader: Reader, personId: PersonId, viewer: Viewer) {
  return reader
    .selectFrom("likes")
    .innerJoin("posts", "posts.id", "likes.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .leftJoin("comments", "comments.id", "likes.comment_id")
    .leftJoin("people as commenter", "commenter.id", "comments.person_id")
    .select(["likes.guid", "likes.created_at"])
    .where("likes.person_id", "=", personId)
    .where(isPostVisibleTo(viewer))
    .where((eb) =>
      eb.or([
        eb.and([
          eb("likes.comment_id", "is", null),
          eb.or([
            eb("posts.uri", "is not", null),
            eb("author.user_id", "is not", null),
          ]),
        ]),
        eb("comments.uri", "is not", null),
        eb("commenter.user_id", "is not", null),
      ]),
    );
}
