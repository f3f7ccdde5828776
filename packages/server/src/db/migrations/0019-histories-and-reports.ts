import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** What else people elsewhere do: pin, react, report, edit; and how many an event takes. */
export const historiesAndReports: Migration = {
  number: 19,
  name: "histories-and-reports",
  statements: (dialect) => {
    const id = identityColumn(dialect);
    return [
      `alter table events add column capacity bigint`,
      `alter table posts add column pinned_at text`,
      `alter table sent_activities
        add column is_object boolean not null default false`,
      `create table text_versions (
        id ${id},
        post_id bigint not null references posts(id) on delete cascade,
        comment_id bigint references comments(id) on delete cascade,
        text text not null, written_at text not null)`,
      `create index text_versions_post on text_versions(post_id, id)
        where comment_id is null`,
      `create index text_versions_comment on text_versions(comment_id, id)
        where comment_id is not null`,
      `create index text_versions_below on text_versions(post_id)`,
      `create table reactions (
        id ${id}, uri text not null unique,
        post_id bigint not null references posts(id) on delete cascade,
        comment_id bigint references comments(id) on delete cascade,
        person_id bigint not null references people(id),
        emoji text not null, emoji_url text, created_at text not null)`,
      `create index reactions_post on reactions(post_id)`,
      `create index reactions_comment on reactions(comment_id)
        where comment_id is not null`,
      `create index reactions_person on reactions(person_id)`,
      `create table reports (
        id ${id}, guid text not null unique, host text not null,
        person_id bigint references people(id),
        objects text not null, text text not null,
        created_at text not null)`,
      `create index reports_person on reports(person_id)
        where person_id is not null`,
      `create table remote_actors (
        actor_uri text not null primary key, type text not null,
        featured_uri text, fetched_at text not null)`,
    ];
  },
};
