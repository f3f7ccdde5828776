import {
  expressionBuilder,
  sql,
  type OrderByDirection,
  type RawBuilder,
} from "kysely";
import type { Reader } from "../../db/db.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { RepliesPolicy } from "../aspects/index.ts";
import type { CommentId, PersonId, PostId, UserId } from "../ids.ts";
import {
  appearsTo,
  isNotBlockedByAuthor,
  isNotBlockedOrIgnored,
  isNotSuspended,
} from "../visibility/index.ts";
import { KEYS_PER_POST } from "./comment-arrival-store.ts";
import { homeSources, READ_PEOPLE } from "./home-rule.ts";

/**
 * Which comments of the people of a home are entries of their own there, by the people to whom
 * they reply: those whom the reader follows, those of the chosen aspects, all, or none.
 */
export type HomeReplies = RepliesPolicy | "all";
export const HOME_REPLIES: readonly HomeReplies[] = [
  ...(["none", "followed", "list", "all"] as const),
];

/** The choices that decide how the query is written. */
export type RepliesForm = {
  readonly isOfAspects: boolean;
  readonly replies: Exclude<HomeReplies, "none">;
  readonly direction: OrderByDirection;
};

/** Between two keys, neither of which belongs to it. */
type Values = {
  userId: UserId;
  personId: PersonId;
  aspects: string;
  low: number;
  high: number;
  limit: number;
};

/** A comment in a home with replies. */
export type ReplyEntry = {
  readonly commentId: CommentId;
  readonly postId: PostId;
  readonly position: number;
};

type Viewer = { readonly userId: UserId; readonly personId: PersonId };

const eb = expressionBuilder<Database, "posts">();
const REPLIED_TO = sql`coalesce(parent.person_id, posts.person_id)`;

/** On `comments`, `posts`, and the comment `parent` if it replies to one. */
function isShown(viewer: Viewer): RawBuilder<unknown> {
  const { userId, personId } = viewer;
  const author = ["comments.person_id"];
  return sql`${appearsTo(viewer)(eb)}
    and ${isNotSuspended(author)}
    and ${isNotBlockedByAuthor(personId, author)}
    and ${isNotBlockedOrIgnored(personId, [...author, "parent.person_id"])}
    and not exists (select 1 from muted_posts
      where muted_posts.user_id = ${userId}
        and muted_posts.post_id = posts.id)`;
}

/** One's own threads and answers to the reader are there with each choice. */
function isWanted(
  { isOfAspects, replies }: RepliesForm,
  { userId, personId }: Viewer,
): RawBuilder<unknown> {
  // In aspects, the comments of their members alone.
  const isOfMembers = isOfAspects
    ? sql`comments.person_id <> ${personId}`
    : sql`1 = 1`;
  if (replies === "all") return isOfMembers;
  const people =
    replies === "list"
      ? sql`select id from members`
      : sql`select home_people.person_id from ${READ_PEOPLE}
          where home_people.user_id = ${userId}`;
  return sql`${isOfMembers} and (comments.person_id = ${personId}
    or ${REPLIED_TO} in (${personId}, comments.person_id)
    or ${REPLIED_TO} in (${people}))`;
}

const prepareReplies = (form: RepliesForm) =>
  prepareQuery<Values, ReplyEntry>((reader, value) => {
    const viewer = { userId: value("userId"), personId: value("personId") };
    const aspects = form.isOfAspects ? value("aspects") : undefined;
    const sources = { ...viewer, dialect: dialectOf(reader), aspects };
    return sql<ReplyEntry>`with ${homeSources(sources)}
      select arrived.position, comments.id as "commentId",
        comments.post_id as "postId"
      from members cross join comment_arrivals as arrived
      cross join comments cross join posts
      left join comments as parent on parent.guid = comments.parent_guid
        and parent.post_id = comments.post_id
      where arrived.author_id = members.id
        and arrived.position > ${value("low")}
        and arrived.position < ${value("high")}
        and comments.id = arrived.comment_id
        and posts.id = comments.post_id
        and ${isShown(viewer)} and ${isWanted(form, viewer)}
      order by arrived.position
        ${form.direction === "asc" ? sql`asc` : sql`desc`}
      limit ${value("limit")}`.compile(reader);
  });

const prepared = new Map<string, ReturnType<typeof prepareReplies>>();

/** Lists the comments of a home with replies that have keys between two others. */
export async function listReplies(
  reader: Reader,
  form: RepliesForm,
  values: Values,
): Promise<ReplyEntry[]> {
  const { isOfAspects, replies, direction } = form;
  const key = JSON.stringify([isOfAspects, replies, direction]);
  let query = prepared.get(key);
  if (!query) prepared.set(key, (query = prepareReplies(form)));
  return query(reader, values);
}

type Last = { ofPosts: number; ofComments: number };

const LAST = sql<Last>`select
  (select coalesce(max(position), 0) from post_arrivals) as "ofPosts",
  (select coalesce(max(position), 0) from comment_arrivals) as "ofComments"`;

/** The last position of a post behind which nothing has come, whether or not it is still there. */
export async function findLastPlace(reader: Reader): Promise<number> {
  const { rows } = await LAST.execute(reader);
  const { ofPosts = 0, ofComments = 0 } = rows[0] ?? {};
  return Math.max(ofPosts, Math.floor(ofComments / KEYS_PER_POST));
}

type Near = { id: number; position: number };

const NEAR = prepareQuery<{ id: number }, Near>((reader, value) =>
  sql<Near>`select id, position from (
      select * from (select post_id as id,
          position * ${sql.lit(KEYS_PER_POST)} as position
        from post_arrivals where post_id <= ${value("id")}
        order by post_id desc, position limit 1) as of_posts
      union all
      select * from (select comment_id as id, position
        from comment_arrivals where comment_id <= ${value("id")}
        order by comment_id desc limit 1) as of_comments) as near
    order by id desc limit 1`.compile(reader),
);

/** The key of a post or comment, or of the last one written before it, wherever that is. */
export async function findKey(
  reader: Reader,
  id: number,
): Promise<{ readonly key: number; readonly isOwn: boolean }> {
  const [near] = await NEAR(reader, { id });
  return { key: near?.position ?? 0, isOwn: near?.id === id };
}
