import type { DialectName } from "../db.ts";
import type { Migration } from "../migration.ts";

/**
 * The index of posts by their words, of people by their names, and how far each is filled.
 * Jobs fill them, so that a large database starts at once.
 */
export const search: Migration = {
  number: 58,
  name: "search",
  statements: (dialect) => [
    ...words(dialect),
    // From which id the posts of a block come, so that a search reads bounded parts.
    `create table search_blocks (
      number bigint not null primary key, from_id bigint not null unique)`,
    `insert into search_blocks (number, from_id)
      select 0, coalesce(max(id), 0) + 1 from posts`,
    `insert into search_blocks (number, from_id)
      select -1, 0 from posts limit 1`,
    `create table search_fills (
      name text not null primary key, below_id bigint not null,
      done bigint not null, total bigint not null)`,
    `insert into search_fills (name, below_id, done, total)
      select 'posts', max(id) + 1, 0, count(*) from posts having count(*) > 0`,
    `insert into search_fills (name, below_id, done, total)
      select 'people', max(id) + 1, 0, count(*) from people having count(*) > 0`,
    `create table person_words (
      word text ${dialect === "sqlite" ? "" : `collate "C"`} not null,
      person_id bigint not null references people(id) on delete cascade,
      primary key (word, person_id))`,
    `create index person_words_person on person_words(person_id)`,
  ],
};

const words = (dialect: DialectName): string[] =>
  dialect === "sqlite"
    ? [
        // It keeps no text: rows are replaced and deleted by their number alone, which is the
        // id of the post below zero. FTS5 skips what it need not read in ascending order alone.
        `create virtual table post_search using fts5(
          words, content = '', contentless_delete = 1,
          tokenize = "ascii tokenchars '_'")`,
        `create trigger post_search_deleted after delete on posts begin
          delete from post_search where rowid = -old.id; end`,
      ]
    : [
        `create table post_search (
          post_id bigint not null primary key references posts(id) on delete cascade,
          words tsvector not null) with (toast_tuple_target = 128)`,
        // Candidates are read by their ids alone, so the words stay out of their way.
        `alter table post_search alter column words set storage external`,
        `create index post_search_words on post_search using gin (words)
          with (fastupdate = off)`,
        `create index post_tags_prefix on post_tags (tag collate "C")`,
      ];
