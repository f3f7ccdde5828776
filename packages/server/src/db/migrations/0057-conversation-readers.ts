import type { DialectName } from "../db.ts";
import type { Migration } from "../migration.ts";

/**
 * Which messages of a conversation each local participant has not read, and whether the
 * conversation is hidden. Until
 * now a conversation was shown among posts, so that it counts as read. Its subject was a
 * heading in its text.
 */
export const conversationReaders: Migration = {
  number: 57,
  name: "conversation-readers",
  statements: (dialect) => [
    `create table conversation_readers (
      user_id bigint not null references users(id) on delete cascade,
      post_id bigint not null references posts(id) on delete cascade,
      activity_key bigint not null, state text not null,
      primary key (user_id, post_id))`,
    `create index conversation_readers_activity
      on conversation_readers(user_id, activity_key)`,
    `create index conversation_readers_post on conversation_readers(post_id)`,
    `create table unread_messages (
      user_id bigint not null references users(id) on delete cascade,
      post_id bigint not null references posts(id) on delete cascade,
      comment_id bigint references comments(id) on delete cascade)`,
    `create index unread_messages_user on unread_messages(user_id, post_id)`,
    `create index unread_messages_post on unread_messages(post_id)`,
    `create index unread_messages_comment on unread_messages(comment_id)`,
    `insert into conversation_readers (user_id, post_id, activity_key, state)
      select kept.user_id, kept.post_id, kept.newest_id, 'shown'
      from (select people.user_id, posts.id as post_id,
          coalesce((select max(comments.id) from comments
            where comments.post_id = posts.id), posts.id) as newest_id
        from posts join people on people.user_id is not null
          and (people.id = posts.person_id or exists (
            select 1 from post_recipients
            where post_recipients.post_id = posts.id
              and post_recipients.person_id = people.id))
        where posts.participants is not null) as kept`,
    ...moveSubjects(dialect),
  ],
};

/** The heading was one line, followed by an empty one and the first message. */
function moveSubjects(dialect: DialectName): string[] {
  const lf = dialect === "sqlite" ? "char(10)" : "chr(10)";
  const end =
    dialect === "sqlite"
      ? `instr(text || ${lf} || ${lf}, ${lf} || ${lf})`
      : `strpos(text || ${lf} || ${lf}, ${lf} || ${lf})`;
  return [
    `update posts set warning = substr(text, 4, ${end} - 4),
        text = substr(text, ${end} + 2)
      where participants is not null and warning is null
        and text like '## %'`,
  ];
}
