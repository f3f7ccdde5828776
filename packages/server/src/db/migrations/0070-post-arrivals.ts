import type { DialectName } from "../db.ts";
import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/**
 * In which order posts became readable here, by which homes are read; and the posts that
 * have no place in that order yet.
 */
export const postArrivals: Migration = {
  number: 70,
  name: "post-arrivals",
  statements: (dialect) => [...table(dialect), FILL, ...UNPLACED[dialect]],
};

const table = (dialect: DialectName): string[] => [
  `create table post_arrivals (
    position ${identityColumn(dialect)},
    post_id bigint not null references posts(id) on delete cascade,
    root_id bigint not null,
    author_id bigint references people(id),
    tag text,
    reader_id bigint,
    foreign key (post_id, reader_id)
      references post_recipients(post_id, person_id)
      on update cascade on delete cascade)`,
  `create index post_arrivals_post on post_arrivals(post_id, reader_id)`,
  `create index post_arrivals_root on post_arrivals(root_id, position)`,
  `create index post_arrivals_author on post_arrivals(author_id, position)
    where author_id is not null`,
  `create index post_arrivals_tag on post_arrivals(tag, position)
    where tag is not null`,
  `create table unplaced_posts (
    id ${identityColumn(dialect)},
    post_id bigint not null references posts(id) on delete cascade,
    root_id bigint,
    reader_id bigint,
    foreign key (post_id, reader_id)
      references post_recipients(post_id, person_id)
      on update cascade on delete cascade)`,
  `create index unplaced_posts_post on unplaced_posts(post_id, reader_id)`,
];

/** The database notes each new post by itself: a statement less where posts are stored. */
const UNPLACED: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: [
    `create trigger posts_unplaced after insert on posts
      when new.participants is null begin
      insert into unplaced_posts (post_id, root_id) values (new.id,
        (select root.id from posts as root where root.guid = new.root_guid));
      end`,
  ],
  postgres: [
    `create function note_unplaced_posts() returns trigger language plpgsql as $$
      begin
        insert into unplaced_posts (post_id, root_id)
          select stored.id, root.id from stored
          left join posts as root on root.guid = stored.root_guid
          where stored.participants is null;
        return null;
      end $$`,
    `create trigger posts_unplaced after insert on posts
      referencing new table as stored
      for each statement execute function note_unplaced_posts()`,
  ],
};

/** Nobody knows when the posts before came: they keep the order of their writing. */
const FILL = `insert into post_arrivals (post_id, root_id, author_id, tag)
  select posts.id as post_id,
    coalesce((select root.id from posts as root
      where root.guid = posts.root_guid), posts.id),
    posts.person_id, null
  from posts where posts.participants is null
  union all
  select post_tags.post_id, post_tags.post_id, null, post_tags.tag
  from post_tags join posts on posts.id = post_tags.post_id
  where posts.participants is null
  order by post_id`;
