import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import type { CommentId, PersonId, PostId, UserId } from "../ids.ts";
import { fetchPage, fetchPageByTime, type Page } from "../page.ts";
import type { Author } from "../posts/index.ts";
import {
  isNotBlockedOrIgnored,
  isNotSuspended,
  isPostVisibleTo,
} from "../visibility/index.ts";
import type { Conversation, PrivateMessage } from "./conversation.ts";

/** A participant reads no messages by suspended, blocked or ignored people. */
function isReadBy({ personId }: Author, writer: string) {
  return sql<boolean>`(${isNotSuspended([writer])}
    and ${isNotBlockedOrIgnored(personId, [writer])})`;
}

/** All conversations of which the user may see anything. */
function conversationsOf(reader: Reader, user: Author) {
  return reader
    .selectFrom("conversation_readers")
    .innerJoin("posts", "posts.id", "conversation_readers.post_id")
    .select([
      "posts.id",
      "posts.guid",
      "posts.person_id",
      "posts.warning",
      "posts.created_at",
      "conversation_readers.state",
      "conversation_readers.activity_key",
      countUnread(user).as("unread"),
    ])
    .where("conversation_readers.user_id", "=", user.userId)
    .where((eb) => isPostVisibleTo(user)(eb));
}

/** A message may be unread by somebody who by now avoids its author. */
const countUnread = (user: Author) => sql<number>`(
  select count(*) from unread_messages
  left join comments on comments.id = unread_messages.comment_id
  where unread_messages.user_id = ${user.userId}
    and unread_messages.post_id = posts.id
    and (comments.id is null or ${isReadBy(user, "comments.person_id")}))`;

type Row = Awaited<
  ReturnType<ReturnType<typeof conversationsOf>["executeTakeFirstOrThrow"]>
>;

function toConversation(row: Row): Conversation {
  return {
    id: row.id,
    guid: row.guid,
    personId: row.person_id,
    subject: row.warning,
    state: row.state,
    unread: Number(row.unread),
    activityKey: Number(row.activity_key),
    createdAt: row.created_at,
  };
}

/** Finds a conversation of the user's, whether hidden or not. */
export async function findConversation(
  reader: Reader,
  user: Author,
  key: { readonly id: PostId } | { readonly guid: string },
): Promise<Conversation | undefined> {
  const row = await conversationsOf(reader, user)
    .where((eb) =>
      "id" in key
        ? eb("posts.id", "=", key.id)
        : eb("posts.guid", "=", key.guid),
    )
    .executeTakeFirst();
  return row && toConversation(row);
}

/** One page of the user's conversations, those with the newest messages first. */
export async function listConversations(
  reader: Reader,
  user: Author,
  page: Page,
): Promise<Conversation[]> {
  const rows = await fetchPageByTime(shownConversations(reader, user), page, {
    time: "conversation_readers.activity_key",
    id: "posts.id",
    order: "newest first",
    isNumbered: true,
    isTimeId: true,
  });
  return rows.map(toConversation);
}

/** Those that are neither hidden nor left, nor started by someone whom the user avoids. */
function shownConversations(reader: Reader, user: Author) {
  return conversationsOf(reader, user)
    .where("conversation_readers.state", "=", "shown")
    .where(isNotBlockedOrIgnored(user.personId, ["posts.person_id"]));
}

/** Counts the user's conversations with unread messages. Reads only those with news. */
export async function countUnreadConversations(
  reader: Reader,
  user: Author,
): Promise<number> {
  const { count } = await reader
    .selectFrom(
      shownConversations(reader, user)
        .where("posts.id", "in", (eb) =>
          eb
            .selectFrom("unread_messages")
            .select("unread_messages.post_id")
            .where("unread_messages.user_id", "=", user.userId),
        )
        .as("news"),
    )
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("news.unread", ">", 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The participants of these conversations, their starter first. */
export async function listParticipantIds(
  reader: Reader,
  ids: readonly PostId[],
): Promise<Map<PostId, PersonId[]>> {
  const found = new Map<PostId, PersonId[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  const isAsked = (column: string) =>
    isListed(reader, column, JSON.stringify(ids));
  const starters = await reader
    .selectFrom("posts")
    .select(["id as post_id", "person_id"])
    .where(isAsked("posts.id"))
    .execute();
  const others = await reader
    .selectFrom("post_recipients")
    .select(["post_id", "person_id"])
    .where(isAsked("post_recipients.post_id"))
    .orderBy("person_id")
    .execute();
  for (const { post_id: id, person_id: personId } of [...starters, ...others]) {
    const people = found.get(id);
    if (people && !people.includes(personId)) people.push(personId);
  }
  return found;
}

const COLUMNS = [
  "id",
  "guid",
  "person_id",
  "text",
  "created_at",
  "updated_at",
] as const;

/** One page of the messages that the user reads, the newest first. */
export async function listMessages(
  reader: Reader,
  user: Author,
  postId: PostId,
  page: Page,
): Promise<PrivateMessage[]> {
  const first = reader
    .selectFrom("posts")
    .select(COLUMNS)
    .select("id as post_id")
    .where("id", "=", postId)
    .where(isReadBy(user, "posts.person_id"));
  const later = reader
    .selectFrom("comments")
    .select(COLUMNS)
    .select("post_id")
    .where("post_id", "=", postId)
    .where(isReadBy(user, "comments.person_id"));
  const messages = reader
    .selectFrom(
      first
        .$castTo<MessageRow>()
        .unionAll(later.$castTo<MessageRow>())
        .as("messages"),
    )
    .selectAll();
  return (await fetchPage(messages, "messages.id", page)).map(toMessage);
}

/** The newest message of each of these conversations that the user reads. */
export async function listNewestMessages(
  reader: Reader,
  user: Author,
  ids: readonly PostId[],
): Promise<Map<PostId, PrivateMessage>> {
  if (ids.length === 0) return new Map();
  const list = JSON.stringify(ids);
  const first = await reader
    .selectFrom("posts")
    .select(COLUMNS)
    .select("id as post_id")
    .where(isListed(reader, "posts.id", list))
    .where(isReadBy(user, "posts.person_id"))
    .execute();
  const newest = await reader
    .selectFrom("comments")
    .select(COLUMNS)
    .select("post_id")
    .where(
      sql<boolean>`comments.id in (
        select (select max(shown.id) from comments as shown
          where shown.post_id = posts.id
            and ${isReadBy(user, "shown.person_id")})
        from posts where ${isListed(reader, "posts.id", list)})`,
    )
    .execute();
  return new Map(
    [...first, ...newest].map((row) => [row.post_id, toMessage(row)]),
  );
}

/** The newest message that another participant wrote; null for the first one. */
export async function findNewestOfOthers(
  reader: Reader,
  user: Author,
  postId: PostId,
): Promise<CommentId | null> {
  const row = await reader
    .selectFrom("comments")
    .select("id")
    .where("post_id", "=", postId)
    .where("person_id", "<>", user.personId)
    .where(isReadBy(user, "comments.person_id"))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The users who have not read the message. @param commentId null for the first one */
export async function listUsersWithout(
  reader: Reader,
  postId: PostId,
  commentId: CommentId | null,
): Promise<UserId[]> {
  const rows = await reader
    .selectFrom("unread_messages")
    .select("user_id")
    .distinct()
    .where("post_id", "=", postId)
    .where("comment_id", commentId === null ? "is" : "=", commentId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

type MessageRow = {
  id: number;
  guid: string;
  person_id: PersonId;
  post_id: PostId;
  text: string;
  created_at: string;
  updated_at: string;
};

function toMessage(row: MessageRow): PrivateMessage {
  return {
    id: Number(row.id),
    guid: row.guid,
    postId: row.post_id,
    personId: row.person_id,
    text: row.text,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
