import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** What stands in texts, found once; what users choose to read by it; and polls. */
export const texts: Migration = {
  number: 5,
  name: "texts",
  statements: (dialect) => [
    ...found(),
    ...chosen(identityColumn(dialect)),
    ...polls(identityColumn(dialect)),
  ],
};

const found = (): string[] => [
  `create table post_tags (
    tag text not null,
    post_id bigint not null references posts(id) on delete cascade,
    primary key (tag, post_id))`,
  `create index post_tags_post on post_tags(post_id)`,
  `create table text_mentions (
    post_id bigint not null references posts(id) on delete cascade,
    comment_id bigint references comments(id) on delete cascade,
    person_id bigint not null references people(id))`,
  `create unique index text_mentions_text on text_mentions(post_id, person_id) where comment_id is null`,
  `create unique index text_mentions_comment on text_mentions(comment_id, person_id) where comment_id is not null`,
  // Deleting a post takes those of its comments with it.
  `create index text_mentions_post on text_mentions(post_id)`,
  `create index text_mentions_person on text_mentions(person_id, post_id)`,
];

const chosen = (id: string): string[] => [
  `create table user_streams (
    id ${id}, user_id bigint not null references users(id),
    name text not null, tags text not null, people text not null,
    expression text not null,
    created_at text not null, updated_at text not null)`,
  `create index user_streams_user on user_streams(user_id, id)`,
  `create table followed_tags (
    id ${id}, user_id bigint not null references users(id),
    tag text not null, created_at text not null,
    unique (user_id, tag))`,
];

const polls = (id: string): string[] => [
  `create table polls (
    id ${id}, guid text not null unique,
    post_id bigint not null unique references posts(id) on delete cascade,
    question text not null, multiple boolean not null,
    ends_at text, created_at text not null)`,
  `create table poll_answers (
    id ${id},
    poll_id bigint not null references polls(id) on delete cascade,
    guid text not null, text text not null,
    unique (poll_id, guid))`,
  `create table poll_votes (
    id ${id}, guid text not null unique,
    poll_id bigint not null references polls(id) on delete cascade,
    answer_id bigint not null references poll_answers(id) on delete cascade,
    person_id bigint not null references people(id),
    created_at text not null,
    unique (poll_id, person_id, answer_id))`,
  `create index poll_votes_answer on poll_votes(answer_id)`,
  `create index poll_votes_person on poll_votes(person_id)`,
];
