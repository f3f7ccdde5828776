import {
  expressionBuilder,
  sql,
  type OrderByDirection,
  type RawBuilder,
} from "kysely";
import type { DialectName, Reader } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { PersonId, PostId, UserId } from "../ids.ts";
import {
  appearsTo,
  isNotSilencedFor,
  isPostVisibleTo,
  POST_AUTHORS,
} from "../visibility/index.ts";
import { homeSources, isWantedOfAuthor, type HomeOf } from "./home-rule.ts";

/** The choices that decide how the query is written. */
export type HomeForm = {
  readonly isOfAspects: boolean;
  readonly reshares: boolean;
  readonly direction: OrderByDirection;
};

/** Between two positions, neither of which belongs to it. */
type Values = {
  userId: UserId;
  personId: PersonId;
  aspects: string;
  low: number;
  high: number;
  limit: number;
  offset: number;
};

/** A post in a home. */
export type HomeEntry = {
  readonly rootId: PostId;
  readonly position: number;
  /** The post itself, or the reshare of it that came first. */
  readonly broughtBy: PostId;
};

type Fragment = RawBuilder<unknown>;
type Reading = HomeOf & Pick<HomeForm, "reshares">;

const eb = expressionBuilder<Database, "posts">();

/**
 * Does the arrived post bring its root into this home, by what it is, beside its author
 * and tags? On `arrived` and `posts`. A reader whom it reached after others has it in the
 * place of that, and until then in none.
 */
function isShown(reading: Reading): Fragment {
  const { userId, personId, reshares } = reading;
  return sql`${appearsTo({ userId, personId })(eb)}
    and ${reshares ? sql`1 = 1` : sql`arrived.post_id = arrived.root_id`}
    and (arrived.reader_id = ${personId} or arrived.reader_id is null
      and not exists (select 1 from post_arrivals as late
        where late.post_id = arrived.post_id and late.reader_id = ${personId}
          and late.position > arrived.position)
      and not exists (select 1 from unplaced_posts as late
        where late.post_id = arrived.post_id and late.reader_id = ${personId}))
    and (arrived.tag is null or (${isNotSilencedFor(userId, POST_AUTHORS)}
      and exists (select 1 from post_tags where post_tags.tag = arrived.tag
        and post_tags.post_id = arrived.post_id)))
    and ${isWantedOfAuthor(reading)}
    and ${isGivenToAspects(reading)}`;
}

/** In aspects, the user's own posts are those given to one of them. */
function isGivenToAspects({ personId, aspects, dialect }: Reading): Fragment {
  if (aspects === undefined) return sql`1 = 1`;
  const own =
    dialect === "sqlite"
      ? sql`select cast(value ->> 'id' as integer) as aspect_id
          from json_each(posts.audience_aspects)`
      : sql`select (value ->> 'id')::bigint as aspect_id
          from jsonb_array_elements(posts.audience_aspects::jsonb)`;
  return sql`(posts.person_id <> ${personId}
    or coalesce(posts.limited_to, '') = 'all_aspects'
    or posts.audience_aspects is not null and exists (
      select 1 from (${own}) as given
      where ${isOneOf(dialect, "given.aspect_id", aspects, "bigint")}))`;
}

/** Did an earlier arrival bring the same root, by another way? */
const isBroughtEarlier = (reading: Reading, except: Fragment): Fragment => sql`
  exists (select 1 from post_arrivals as arrived
    join posts on posts.id = arrived.post_id
    where arrived.root_id = brought.root_id
      and arrived.position < brought.position and ${except}
      and (arrived.author_id in (select id from members)
        or arrived.tag in (select tag from tags))
      and ${isShown(reading)})`;

const amongPlaces = (dialect: DialectName, candidates: Fragment): Fragment =>
  dialect === "sqlite"
    ? sql`in (${candidates})`
    : // PostgreSQL would read all arrivals to join them with the places.
      sql`= any(array(${candidates}))`;

/**
 * The places are gathered first, which takes one look into an index for each
 * person; then they are examined in order, until there are enough. A later
 * place of a root is examined only where the first one shows nothing.
 */
const preparePart = ({ isOfAspects, reshares, direction }: HomeForm) =>
  prepareQuery<Values, HomeEntry>((reader, value) => {
    const userId = value("userId");
    const personId = value("personId");
    const aspects = isOfAspects ? value("aspects") : undefined;
    const dialect = dialectOf(reader);
    const reading = { dialect, userId, personId, aspects, reshares };
    const isWithin = sql`arrived.position > ${value("low")}
      and arrived.position < ${value("high")}`;
    const shows = (position: Fragment) => sql`exists (
      select 1 from post_arrivals as arrived
      join posts on posts.id = arrived.post_id
      where arrived.position = ${position} and ${isShown(reading)})`;
    const candidates = sql`select places.position from places
      where places.position = places.first
        or not ${shows(sql`places.first`)}`;
    return sql<HomeEntry>`with ${homeSources(reading)},
      places(position, first) as materialized (
        select found.position,
          min(found.position) over (partition by found.root_id)
        from (
          select arrived.position, arrived.root_id
          from members cross join post_arrivals as arrived
          where arrived.author_id = members.id and ${isWithin}
          union all
          select arrived.position, arrived.root_id
          from tags cross join post_arrivals as arrived
          where arrived.tag = tags.tag and ${isWithin}) as found)
      select brought.root_id as "rootId", brought.position,
        brought.post_id as "broughtBy"
      from post_arrivals as brought
      where brought.position ${amongPlaces(dialect, candidates)}
        and ${shows(sql`brought.position`)}
        and exists (select 1 from posts where posts.id = brought.root_id
          and ${isPostVisibleTo({ userId, personId })(eb)})
        and not ${isBroughtEarlier(reading, sql`1 = 1`)}
      order by brought.position ${direction === "asc" ? sql`asc` : sql`desc`}
      limit ${value("limit")} offset ${value("offset")}`.compile(reader);
  });

const parts = new Map<string, ReturnType<typeof preparePart>>();

/** Lists the posts of a home that came between two positions. */
export async function listPart(
  reader: Reader,
  form: HomeForm,
  values: Values,
): Promise<HomeEntry[]> {
  const key = JSON.stringify([form.isOfAspects, form.reshares, form.direction]);
  let part = parts.get(key);
  if (!part) parts.set(key, (part = preparePart(form)));
  return part(reader, values);
}

type OfPost = { userId: UserId; personId: PersonId; postId: number };

const prepareBrought = (isOfAllRead: boolean) =>
  prepareQuery<OfPost, { position: number }>((reader, value) => {
    const userId = value("userId");
    const personId = value("personId");
    const dialect = dialectOf(reader);
    const viewer = { dialect, userId, personId };
    const home = { ...viewer, aspects: undefined, isOfAllRead };
    const reading = { ...home, reshares: true };
    return sql<{ position: number }>`with ${homeSources(home)},
      brought as (
        select arrived.root_id, arrived.position from post_arrivals as arrived
        join posts on posts.id = arrived.post_id
        where arrived.post_id = ${value("postId")}
          and (arrived.author_id in (select id from members)
            or arrived.tag in (select tag from tags))
          and ${isShown(reading)})
      select brought.position from brought
      where exists (select 1 from posts where posts.id = brought.root_id
          and ${isPostVisibleTo({ userId, personId })(eb)})
        and not ${isBroughtEarlier(reading, sql`arrived.post_id <> ${value("postId")}`)}
      order by brought.position limit 1`.compile(reader);
  });

const findBrought = prepareBrought(false);
const findBroughtAmongAll = prepareBrought(true);

type HomeOwner = { readonly userId: UserId; readonly personId: PersonId };

/**
 * Is the post in the user's home, or its root because of it and of nothing before it? Apart
 * from the home if only exclusive aspects of the user have it.
 */
export async function findBringing(
  reader: Reader,
  { userId, personId }: HomeOwner,
  postId: PostId,
): Promise<"home" | "apart" | undefined> {
  const values = { userId, personId, postId };
  if ((await findBrought(reader, values)).length > 0) return "home";
  const rows = await findBroughtAmongAll(reader, values);
  return rows.length > 0 ? "apart" : undefined;
}

const PLACE = prepareQuery<{ id: number }, { position: number }>(
  (reader, value) =>
    sql<{ position: number }>`
    select position from post_arrivals where post_id <= ${value("id")}
    order by post_id desc, position limit 1`.compile(reader),
);

/** Where a post stands in the user's home; undefined if it is not there. */
export async function findOwnPlace(
  reader: Reader,
  { userId, personId }: HomeOwner,
  postId: number,
): Promise<number | undefined> {
  const [own] = await findBrought(reader, { userId, personId, postId });
  return own?.position;
}

/**
 * The place in the user's home to which the id of a post leads: its own, or, for what is not
 * in the home, that of the last post written before it, wherever that is.
 */
export async function findPlace(
  reader: Reader,
  owner: HomeOwner,
  id: number,
): Promise<{ readonly position: number; readonly isOwn: boolean }> {
  const own = await findOwnPlace(reader, owner, id);
  if (own !== undefined) return { position: own, isOwn: true };
  const [near] = await PLACE(reader, { id });
  return { position: near?.position ?? 0, isOwn: false };
}

const LAST = sql<{ position: number }>`
  select coalesce(max(position), 0) as position from post_arrivals`;

/** The position of the last arrival. */
export async function findLast(reader: Reader): Promise<number> {
  const { rows } = await LAST.execute(reader);
  return rows[0]?.position ?? 0;
}
