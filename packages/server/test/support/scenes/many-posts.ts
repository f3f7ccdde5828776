import { sql } from "kysely";
import type { Db } from "../../../src/db/db.ts";

const AT = "2026-01-02T03:04:05.678Z";

/**
 * Fills an empty database with so much data that reading a whole table costs more
 * than an index: 10000 people, 20000 posts, and their parts. Post 1 has 2000
 * comments, likes and reshares, person 100 has 5000 posts.
 */
export async function fillWithPosts(db: Db): Promise<void> {
  const numbers = (to: number) =>
    `with recursive numbers(i) as
      (select 1 union all select i + 1 from numbers where i < ${to})`;
  const times = `'${AT}', '${AT}'`;
  const statements = [
    `insert into people (guid, handle, public_key_pem, state,
       created_at, updated_at) ${numbers(10_000)}
     select 'one-of-many-people-' || i, 'many' || i || '@far.example', 'a key',
       'active', ${times} from numbers`,
    `insert into remote_people (person_id, has_diaspora_key)
     select id, false from people where guid like 'one-of-many-people-%'`,
    `insert into profiles (person_id, first_name, last_name, full_name,
       image_url, image_url_small, image_url_medium, gender, bio, location,
       searchable, bio_for, nsfw, created_at, updated_at)
     select id, '', '', '', '', '', '', '',
       'A life that was long enough for more than a few words about it.', '', true, 'everyone', false, ${times}
       from people where guid like 'one-of-many-people-%'`,
    `insert into contacts (user_id, person_id, following, sharing,
       confirmed, created_at, updated_at)
     select users.id, people.id, true, true, true, ${times} from users
       join people on people.guid like 'one-of-many-people-%' and people.id % 30 = 0`,
    `insert into aspects (user_id, name, is_default, created_at, updated_at)
     select id, 'many', false, ${times} from users`,
    `insert into aspect_memberships (aspect_id, person_id, created_at,
       updated_at)
     select aspects.id, contacts.person_id, ${times} from aspects
       join contacts on contacts.user_id = aspects.user_id
       where aspects.name = 'many'`,
    `insert into posts (id, guid, person_id, type, public, listed, text,
       provider_name, root_guid, root_person_id, created_at, updated_at)
     ${numbers(20_000)}
     select i, 'one-of-many-posts-' || i, 
       case when i between 2 and 2001 then 200 + i when i % 4 = 1 then 100 else 101 + (i * 7) % 9000 end,
       'StatusMessage',
       i % 10 <> 0, i % 10 > 1, 'text', '',
       case when i between 2 and 2001 then 'one-of-many-posts-1' end,
       case when i between 2 and 2001 then 100 end, ${times} from numbers`,
    `insert into post_arrivals (post_id, root_id, author_id)
     select id, case when root_guid is null then id else 1 end, person_id
       from posts order by id`,
    `delete from unplaced_posts`,
    `insert into post_recipients (post_id, person_id)
     select posts.id, people.id from posts
       join people on people.id % 2500 = posts.id % 2499
       where posts.id % 10 = 0`,
    `insert into comments (id, guid, post_id, person_id, text, created_at,
       updated_at) ${numbers(20_000)}
     select i, 'one-of-many-comments-' || i, case when i > 2000 then i else 1 end,
       100 + i % 2900, 'text', ${times} from numbers`,
    `insert into likes (guid, shareable_type, shareable_id, post_id, person_id,
       positive, created_at, updated_at) ${numbers(20_000)}
     select 'one-of-many-likes-' || i, 'Post', case when i > 2000 then i else 1 end,
       case when i > 2000 then i else 1 end, 100 + i % 2900, true, ${times}
       from numbers`,
    `insert into notifications (user_id, person_id, reason, shareable_type,
       shareable_guid, unread, created_at, updated_at) ${numbers(20_000)}
     select users.id, 100, 'comment', 'Comment', 'one-of-many-comments-' || i,
       i % 10 = 0, ${times} from numbers join users on users.id % 2 = i % 2`,
  ];
  await db.transaction(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx);
  });
  // SQLite runs without any statistics, as in a server; PostgreSQL gathers them by itself.
  if (db.dialect === "postgres") await sql`vacuum analyze`.execute(db.read);
}
