import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Pictures: of posts, of people, and those that wait for their post. */
export const photos: Migration = {
  number: 4,
  name: "photos",
  statements: (dialect) => [
    `create table photos (
      id ${identityColumn(dialect)}, guid text not null unique,
      person_id bigint not null references people(id),
      post_id bigint references posts(id) on delete cascade,
      aspect_id bigint, position bigint not null, text text not null,
      width bigint not null, height bigint not null,
      blurhash text not null, media_type text not null,
      storage_key text unique, sizes text not null,
      is_profile boolean not null,
      remote_url text, remote_thumbnail_url text, uri text,
      created_at text not null, updated_at text not null)`,
    `create index photos_post on photos(post_id, position) where post_id is not null`,
    `create index photos_waiting on photos(created_at) where post_id is null and not is_profile`,
    `create index photos_profile on photos(person_id) where is_profile`,
  ],
};
