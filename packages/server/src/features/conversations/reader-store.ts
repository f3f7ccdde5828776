import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { CommentId, PostId, UserId } from "../ids.ts";
import type { ConversationReaders } from "../posts/index.ts";
import { timeIdRange } from "../time-id.ts";
import type { Conversation } from "./conversation.ts";

/** Keeps what each local participant has not read yet. */
export function createConversationReaders({
  clock,
}: {
  readonly clock: Clock;
}): ConversationReaders {
  return {
    add: async (tx, { id, personId }, people) => {
      if (people.length === 0) return;
      const key = keyOfArrival(clock, id);
      const isNamed = isListed(tx, "people.id", JSON.stringify(people));
      const { rows } = await sql<{ user_id: UserId }>`
        insert into conversation_readers (user_id, post_id, activity_key, state)
        select people.user_id, ${bigint(id)},
          ${isAfterAll(key, sql`people.user_id`)}, 'shown'
        from people where ${isNamed} and people.user_id is not null
        order by people.user_id
        on conflict do nothing returning user_id`.execute(tx);
      if (rows.length === 0) return;
      const added = JSON.stringify(rows.map((row) => row.user_id));
      await sql`insert into unread_messages (user_id, post_id, comment_id)
        select people.user_id, ${bigint(id)}, null from people
        where ${isListed(tx, "people.user_id", added)}
          and people.id <> ${personId}`.execute(tx);
    },
    noteMessage: async (tx, { id, postId, personId }) => {
      const key = keyOfArrival(clock, postId);
      const isByThem = isUserOf(personId, "conversation_readers");
      await sql`update conversation_readers set
          activity_key = ${isAfterAll(key, sql`conversation_readers.user_id`)},
          state = case when state = 'left' and not ${isByThem} then 'left'
            else 'shown' end
        where post_id = ${postId}
          and ${welcomes(personId, "conversation_readers")}`.execute(tx);
      await sql`insert into unread_messages (user_id, post_id, comment_id)
        select readers.user_id, readers.post_id, ${bigint(id)}
        from conversation_readers as readers
        where readers.post_id = ${postId} and readers.state <> 'left'
          and not ${isUserOf(personId, "readers")}
          and ${welcomes(personId, "readers")}`.execute(tx);
      // An answer marks the earlier messages as read.
      await sql`delete from unread_messages where post_id = ${postId}
        and ${isUserOf(personId, "unread_messages")}`.execute(tx);
    },
  };
}

/** PostgreSQL would take a parameter beside a small number for a small one. */
const bigint = (id: number) => sql<number>`cast(${id} as bigint)`;

/**
 * Messages have the time of their writing, which their author states: what is new goes by the
 * time of arrival instead. Two conversations of one moment differ by their own ids.
 */
function keyOfArrival(clock: Clock, id: PostId): number {
  const now = clock.now();
  const { first, end } = timeIdRange("post", now, "", now);
  return first + (id % (end - first));
}

/** The key, or one after all of the user's, should the clock have been set back. */
const isAfterAll = (key: number, userId: RawBuilder<unknown>) => sql`(
  select case when max(others.activity_key) >= ${bigint(key)}
    then max(others.activity_key) + 1 else ${bigint(key)} end
  from conversation_readers as others where others.user_id = ${userId})`;

const isUserOf = (personId: number, table: string) => sql`exists (
  select 1 from people where people.id = ${personId}
    and people.user_id = ${sql.ref(`${table}.user_id`)})`;

/** The reader has neither blocked nor ignored the person, nor blocked its server. */
const welcomes = (personId: number, table: string) => sql`not exists (
  select 1 from people as self where self.user_id = ${sql.ref(`${table}.user_id`)}
    and (exists (select 1 from blocks where blocks.person_id = self.id
        and blocks.blocked_person_id = ${personId})
      or exists (select 1 from ignores where ignores.person_id = self.id
        and ignores.ignored_person_id = ${personId})
      or exists (select 1 from host_blocks
        join people as writer on writer.host = host_blocks.host
        where host_blocks.person_id = self.id and writer.id = ${personId})))`;

/** @param upTo the last message that was read; all of them by default */
export async function deleteUnread(
  tx: Tx,
  userId: UserId,
  postId: PostId,
  upTo?: number,
): Promise<void> {
  let query = tx
    .deleteFrom("unread_messages")
    .where("user_id", "=", userId)
    .where("post_id", "=", postId);
  if (upTo !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb("comment_id", "is", null),
        eb(sql<number>`comment_id`, "<=", upTo),
      ]),
    );
  await query.execute();
}

/** @param commentId null for the first message */
export async function insertUnread(
  tx: Tx,
  userId: UserId,
  postId: PostId,
  commentId: CommentId | null,
): Promise<void> {
  await tx
    .insertInto("unread_messages")
    .values({ user_id: userId, post_id: postId, comment_id: commentId })
    .execute();
}

/** @param key of the conversation as the user saw it: a newer message shows it again */
export async function updateState(
  tx: Tx,
  userId: UserId,
  postId: PostId,
  state: Conversation["state"],
  key: number,
): Promise<void> {
  await tx
    .updateTable("conversation_readers")
    .set({ state })
    .where("user_id", "=", userId)
    .where("post_id", "=", postId)
    .where("activity_key", "<=", key)
    .execute();
}

/** Deletes what a person who has left had to read. @returns how many rows */
export async function deleteSomeReadersOf(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const some = await tx
    .selectFrom("conversation_readers")
    .select("post_id")
    .where("user_id", "=", userId)
    .orderBy("post_id")
    .limit(limit)
    .execute();
  const ids = some.map((row) => row.post_id);
  if (ids.length === 0) return 0;
  for (const table of ["unread_messages", "conversation_readers"] as const)
    await tx
      .deleteFrom(table)
      .where("user_id", "=", userId)
      .where("post_id", "in", ids)
      .execute();
  return ids.length;
}
