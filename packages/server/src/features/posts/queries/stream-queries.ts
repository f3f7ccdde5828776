import { sql, type OrderByDirection, type RawBuilder } from "kysely";
import {
  type Viewer,
  hiddenAuthorIds,
  isNotOnBlockedHost,
  isPostHiddenBy,
  POST_AUTHORS,
  silencedAuthorIds,
} from "../../visibility/index.ts";
import type { DialectName, Reader } from "../../../db/db.ts";
import { byIndex } from "../../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../../db/prepared-query.ts";
import type { PersonId, PostId, UserId } from "../../ids.ts";
import { directionOf, type Page } from "../../page.ts";
import { listPostsById } from "./post-queries.ts";
import type { Post } from "../post.ts";

/**
 * Public: all listed public posts known to this server. Private: the limited posts that
 * the viewer may see. All: both, plus the unlisted public posts of the viewer and of the
 * people it follows.
 */
export type Visibility = "all" | "public" | "private";

/**
 * The maximum depth of a stream. Nothing is returned beyond it, so that no offset costs
 * more steps than this.
 */
const DEEPEST = 100_000;

/** Beyond every id. */
const LAST_ID = sql.raw(String(Number.MAX_SAFE_INTEGER));

type Fragment = RawBuilder<unknown>;
type Values = {
  personId: PersonId;
  userId: UserId | null;
  /** As many posts of each source as the page and all pages before it could take. */
  depth: number;
  limit: number;
  offset: number;
  before: number;
  after: number;
};
/** The parameters of the query: the others stand for a value. */
type Reading = Values & {
  readonly dialect: DialectName;
  /** From the newest one, or from the oldest. */
  readonly direction: OrderByDirection;
};

/**
 * Lists one page of a user's stream, newest first: without posts that the user hid,
 * and without posts by, or reshared from, people whom the user blocks or ignores or
 * who block the user.
 *
 * Written by hand, because it is the most read and fastest growing query. Each source
 * yields its newest ids in the order of its own index, and only the posts of the page
 * itself are read.
 */
export async function listStream(
  read: Reader,
  viewer: NonNullable<Viewer>,
  visibility: Visibility,
  page: Page,
): Promise<Post[]> {
  if (page.offset >= DEEPEST) return [];
  const rows = await pages[directionOf(page)][visibility](read, {
    personId: viewer.personId,
    userId: viewer.userId,
    depth: page.offset + page.limit,
    limit: page.limit,
    offset: page.offset,
    before: page.before ?? Number.MAX_SAFE_INTEGER,
    after: page.after ?? 0,
  });
  const ids = rows.map(({ id }) => id);
  return listPostsById(read, ids, viewer);
}

const preparePage = (visibility: Visibility, direction: OrderByDirection) =>
  prepareQuery<Values, { id: PostId }>((reader, value) => {
    const reading: Reading = {
      dialect: dialectOf(reader),
      personId: value("personId"),
      userId: value("userId"),
      depth: value("depth"),
      limit: value("limit"),
      offset: value("offset"),
      before: value("before"),
      after: value("after"),
      direction,
    };
    return sql<{ id: PostId }>`with ${keptAway(reading)},
      ${silenced(reading)},
      ${sourcesOf(visibility, reading)}
      order by id ${sql.raw(direction)}
      limit ${reading.limit} offset ${reading.offset}`.compile(reader);
  });
const preparePages = (direction: OrderByDirection) => ({
  all: preparePage("all", direction),
  public: preparePage("public", direction),
  private: preparePage("private", direction),
});
const pages = { asc: preparePages("asc"), desc: preparePages("desc") } as const;

function sourcesOf(visibility: Visibility, reading: Reading): Fragment {
  switch (visibility) {
    case "public":
      return sql`${listed(reading)} select id from listed`;
    case "private":
      return sql`${unbounded(reading)}, ${given(reading)},
        ${ownLimited(reading)}
        select id from given union all select id from own_limited`;
    case "all":
      return sql`${listed(reading)}, ${reach(reading)}, ${given(reading)},
        ${ownLimited(reading)}, ${unlisted(reading)}
        select id from listed union all select id from given
        union all select id from own_limited
        union all select id from unlisted`;
  }
}

/** Materialized: read once per query, not once per post. */
const keptAway = ({ personId }: Reading): Fragment => sql`
  kept_away(id) as materialized (${hiddenAuthorIds(personId)})`;

/** Authors whose public posts are visible only to accounts that know them. */
const silenced = ({ userId }: Reading): Fragment => sql`
  unheard(id) as materialized (${silencedAuthorIds(userId)})`;

/** Between the keys of the page, and in its order from there. */
const isWithin = ({ before, after }: Reading): Fragment => sql`
  posts.id < ${before} and posts.id > ${after}`;

/** No further than the last one of enough listed posts to fill the page. */
const isInReach = (reading: Reading, id: Fragment): Fragment => sql`
  ${isWithin(reading)} and ${id} ${sql.raw(reading.direction === "desc" ? ">" : "<")} (select id from reach)`;

const isWelcome = ({ userId, personId }: Reading): Fragment => sql`
  posts.person_id not in (select id from kept_away)
  and (posts.root_person_id is null
    or posts.root_person_id not in (select id from kept_away))
  and ${isNotOnBlockedHost(personId, POST_AUTHORS)}
  and not ${isPostHiddenBy(userId)}`;

const listed = (reading: Reading): Fragment => sql`
  listed(id) as materialized (
    select posts.id from posts ${byIndex(reading.dialect, "posts_listed")}
    where posts.public and posts.listed and ${isWithin(reading)}
      and ${isWelcome(reading)}
      and posts.person_id not in (select id from unheard)
      and (posts.root_person_id is null
        or posts.root_person_id not in (select id from unheard))
    order by posts.id ${sql.raw(reading.direction)} limit ${reading.depth})`;

/**
 * The id of the last listed post where there are enough of them to fill the page: a post of
 * another source that comes after it is not on the page.
 */
const reach = ({ depth, direction }: Reading): Fragment =>
  direction === "desc"
    ? sql`reach(id) as materialized (
        select case when count(*) < ${depth} then 0 else min(id) end from listed)`
    : sql`reach(id) as materialized (
        select case when count(*) < ${depth} then ${LAST_ID} else max(id) end
        from listed)`;

const unbounded = ({ direction }: Reading): Fragment =>
  sql`reach(id) as (select ${direction === "desc" ? sql`0` : LAST_ID})`;

const given = (reading: Reading): Fragment => sql`
  given(id) as materialized (
    select posts.id from post_recipients
    join posts ${byIndex(reading.dialect, "posts_private")}
      on posts.id = post_recipients.post_id
    where post_recipients.person_id = ${reading.personId}
      and ${isInReach(reading, sql`post_recipients.post_id`)}
      and not posts.public
      and posts.person_id <> ${reading.personId}
      and ${isWelcome(reading)}
    order by post_recipients.post_id ${sql.raw(reading.direction)}
    limit ${reading.depth})`;

const ownLimited = (reading: Reading): Fragment => sql`
  own_limited(id) as materialized (
    select posts.id from posts ${byIndex(reading.dialect, "posts_limited")}
    where not posts.public
      and posts.person_id = ${reading.personId}
      and ${isInReach(reading, sql`posts.id`)}
    order by posts.id ${sql.raw(reading.direction)} limit ${reading.depth})`;

/**
 * Reads only newer posts of each person, so that five hundred people cost five hundred
 * short index scans.
 */
const unlisted = (reading: Reading): Fragment => sql`
  unlisted(id) as materialized (
    select posts.id from (
      select contacts.person_id from contacts
        where contacts.user_id = ${reading.userId}
          and contacts.following
          and contacts.person_id <> ${reading.personId}
      union all select ${reading.personId}) as authors
    join posts ${byIndex(reading.dialect, "posts_unlisted")}
      on posts.person_id = authors.person_id
    where posts.public and not posts.listed
      and ${isInReach(reading, sql`posts.id`)} and ${isWelcome(reading)}
    order by posts.id ${sql.raw(reading.direction)} limit ${reading.depth})`;
