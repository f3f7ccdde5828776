import type { DialectName } from "../db.ts";
import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/**
 * In which order the comments of people whose writings are read in homes became readable here,
 * beside that of posts; and whose replies each list of a program shows: none, as before.
 */
export const repliesInHomes: Migration = {
  number: 182,
  name: "replies in homes",
  statements: (dialect) => [
    `alter table aspects
      add column replies_policy text not null default 'none'`,
    ...tables(dialect),
    FILL,
    `insert into last_comment_arrival (id, position)
      select 1, coalesce(max(position), 0) from comment_arrivals`,
    ...NOTES[dialect],
  ],
};

const tables = (dialect: DialectName): string[] => [
  `create table comment_arrivals (
    position ${dialect === "sqlite" ? "integer" : "bigint"} not null primary key,
    comment_id bigint not null references comments(id) on delete cascade,
    author_id bigint not null references people(id))`,
  `create unique index comment_arrivals_comment
    on comment_arrivals(comment_id)`,
  `create index comment_arrivals_author
    on comment_arrivals(author_id, position)`,
  `create table unplaced_comments (
    id ${identityColumn(dialect)},
    comment_id bigint not null references comments(id) on delete cascade)`,
  `create index unplaced_comments_comment on unplaced_comments(comment_id)`,
  `create table last_comment_arrival (
    id integer not null primary key, position bigint not null)`,
];

/** Comments by people of this server and by members of an aspect of one, in no conversation. */
const isRead = (comment: string): string => `
  exists (select 1 from posts where posts.id = ${comment}.post_id
    and posts.participants is null)
  and (exists (select 1 from people where people.id = ${comment}.person_id
      and people.user_id is not null)
    or exists (select 1 from aspect_memberships
      where aspect_memberships.person_id = ${comment}.person_id))`;

/**
 * Nobody knows when the comments before came: each stands behind the last post that was
 * written before it.
 */
const FILL = `insert into comment_arrivals (position, comment_id, author_id)
  select place * 1048576
      + row_number() over (partition by place order by id), id, person_id
  from (select comments.id, comments.person_id, coalesce((
      select post_arrivals.position from post_arrivals
      where post_arrivals.post_id <= comments.id
      order by post_arrivals.post_id desc, post_arrivals.position
      limit 1), 0) as place
    from comments where ${isRead("comments")}) as written`;

/** The database notes each such comment by itself: no statement more where they are stored. */
const NOTES: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: [
    `create trigger comments_unplaced after insert on comments
      when ${isRead("new")} begin
      insert into unplaced_comments (comment_id) values (new.id);
      end`,
  ],
  postgres: [
    `create function note_unplaced_comments() returns trigger language plpgsql as $$
      begin
        insert into unplaced_comments (comment_id)
          select stored.id from stored where ${isRead("stored")};
        return null;
      end $$`,
    `create trigger comments_unplaced after insert on comments
      referencing new table as stored
      for each statement execute function note_unplaced_comments()`,
  ],
};
