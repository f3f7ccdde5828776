import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Edits by local authors, replies to comments by their parent, and muted conversations. */
export const editsAndMutes: Migration = {
  number: 56,
  name: "edits-and-mutes",
  statements: (dialect) => [
    // What a version had beside its text.
    `alter table text_versions add column warning text`,
    `alter table text_versions add column photos text`,
    // People whom an edit no longer mentions have the text and its later edits.
    `alter table text_mentions
      add column former boolean not null default false`,
    `create index comments_parent on comments(parent_guid, id)
      where parent_guid is not null`,
    `create table event_versions (
      id ${identityColumn(dialect)},
      event_id bigint not null references events(id) on delete cascade,
      details text not null, written_at text not null)`,
    `create index event_versions_event on event_versions(event_id, id)`,
    `create table muted_posts (
      user_id bigint not null references users(id) on delete cascade,
      post_id bigint not null references posts(id) on delete cascade,
      primary key (user_id, post_id))`,
    `create index muted_posts_post on muted_posts(post_id)`,
  ],
};
