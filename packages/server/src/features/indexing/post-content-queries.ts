import { sql, type RawBuilder } from "kysely";
import type { DialectName, Reader } from "../../db/db.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import { STORED_POST_TYPES } from "../../db/schema/columns/stored-names.ts";
import type { PersonId, PostId } from "../ids.ts";

/** The content by which a post is found. */
export type SearchableContent = {
  readonly personId: PersonId;
  /** May everyone search it? */
  readonly isOpen: boolean;
  /** The people here who may search it. */
  readonly finders: readonly number[];
  /** Markdown: its text, warning, event, poll, and the descriptions of its pictures. */
  readonly texts: readonly string[];
  readonly tags: readonly string[];
  readonly hasEvent: boolean;
  readonly hasPoll: boolean;
  readonly hasMedia: boolean;
};

type Row = {
  person_id: PersonId;
  is_open: boolean | number;
  text: string;
  warning: string | null;
  event: string | null;
  finders: string | null;
  pictures: string | null;
  poll: string | null;
  tags: string | null;
};

/** A list of values as JSON. */
const all = (
  dialect: DialectName,
  value: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  dialect === "sqlite"
    ? sql`(select json_group_array(${value}) ${from})`
    : sql`(select json_agg(${value})::text ${from})`;

/** The people here who wrote the post, received it, or took part in it. */
const FINDERS = sql`from (
  select people.id from people where people.user_id is not null and people.id in (
    select posts.person_id
    union select person_id from post_recipients where post_id = posts.id
    union select person_id from comments where post_id = posts.id
    union select person_id from likes where post_id = posts.id
    union select person_id from text_mentions where post_id = posts.id
    union select poll_votes.person_id from polls
      join poll_votes on poll_votes.poll_id = polls.id where polls.post_id = posts.id
    union select reshare.person_id from posts as reshare
      where reshare.root_guid = posts.guid)) as finder`;

const contentOf = prepareQuery<{ id: PostId }, Row>(
  (reader, value) => {
    const dialect = dialectOf(reader);
    return sql<Row>`select posts.person_id, posts.text, posts.warning,
      (posts.public and posts.listed and profiles.indexable) as is_open,
      (select events.summary from events where events.id = posts.event_id) as event,
      ${all(dialect, sql`finder.id`, FINDERS)} as finders,
      ${all(
        dialect,
        sql`photos.text`,
        sql`from photos
        where photos.post_id = posts.id and photos.comment_id is null`,
      )} as pictures,
      ${all(
        dialect,
        sql`asked.text`,
        sql`from (select polls.question as text from polls where polls.post_id = posts.id
          union all select poll_answers.text from polls
            join poll_answers on poll_answers.poll_id = polls.id
            where polls.post_id = posts.id) as asked`,
      )} as poll,
      ${all(dialect, sql`post_tags.tag`, sql`from post_tags where post_tags.post_id = posts.id`)} as tags
    from posts join profiles on profiles.person_id = posts.person_id
    where posts.id = ${value("id")} and posts.type = ${sql.lit(STORED_POST_TYPES.post)}`.compile(
      reader,
    );
  },
  { types: { id: "bigint" } },
);

/** @returns undefined for a reshare, which is found by its root, and for no post */
export async function findSearchable(
  reader: Reader,
  id: PostId,
): Promise<SearchableContent | undefined> {
  const [row] = await contentOf(reader, { id });
  if (!row) return undefined;
  const [pictures, poll] = [listOf(row.pictures), listOf(row.poll)];
  return {
    personId: row.person_id,
    isOpen: Boolean(row.is_open),
    finders: listOf(row.finders).map(Number),
    texts: [row.text, row.warning ?? "", row.event ?? "", ...poll, ...pictures],
    tags: listOf(row.tags),
    hasEvent: row.event !== null,
    hasPoll: poll.length > 0,
    hasMedia: pictures.length > 0,
  };
}

function listOf(json: string | null): string[] {
  const values: unknown = JSON.parse(json ?? "[]");
  return Array.isArray(values) ? values.map(String) : [];
}

const accountOf = prepareQuery<{ id: PersonId }, { user_id: number | null }>(
  (reader, value) =>
    reader
      .selectFrom("people")
      .select("user_id")
      .where("id", "=", value("id"))
      .compile(),
  { types: { id: "bigint" } },
);

/** Has the person an account here? Only such people search. */
export async function isLocal(reader: Reader, id: PersonId): Promise<boolean> {
  const [row] = await accountOf(reader, { id });
  return (row?.user_id ?? null) !== null;
}
