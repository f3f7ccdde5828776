import { expressionBuilder, sql, type RawBuilder, type SqlBool } from "kysely";
import type { DialectName, Reader } from "../../db/db.ts";
import { isOneOf, rowsIn } from "../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { PersonId, PostId, UserId } from "../ids.ts";
import { appearsTo } from "../visibility/index.ts";
import { homeSources, isMember, isWantedOfAuthor } from "./home-rule.ts";

/** The people of a home who reshared a post: the first ones, and how many they are. */
export type Resharers = {
  readonly people: readonly PersonId[];
  readonly count: number;
};

const MAX_SHOWN = 10;

type Values = {
  userId: UserId;
  personId: PersonId;
  aspects: string;
  roots: string;
};
type Row = { rootId: PostId; personId: PersonId; total: number };

/**
 * How the reshares of posts are found. `each` asks for each reshare whether it is by a member, `listed`
 * looks each up in a list of the members, and `sought` seeks a reshare by each member.
 */
type Way = "each" | "listed" | "sought";

const prepareResharers = (isOfAspects: boolean, way: Way) =>
  prepareQuery<Values, Row>((reader, value) => {
    const userId = value("userId");
    const personId = value("personId");
    const aspects = isOfAspects ? value("aspects") : undefined;
    const dialect = dialectOf(reader);
    const viewer = { userId, personId };
    const home = { ...viewer, dialect, aspects };
    const roots = value("roots");
    const eb = expressionBuilder<Database, "posts">();
    return sql<Row>`with ${way === "each" ? sql`` : sql`${homeSources(home)},`}
      resharers as (
        select arrived.root_id, arrived.author_id,
          row_number() over (partition by arrived.root_id
            order by arrived.position) as place,
          count(*) over (partition by arrived.root_id) as total
        from ${way === "sought" ? soughtOf(dialect, roots) : ARRIVED}
        where ${isOneOf(dialect, "arrived.root_id", roots, "bigint")}
          and arrived.post_id <> arrived.root_id
          and ${way === "each" ? isMember(home, "arrived.author_id") : IS_LISTED_MEMBER}
          and ${isWantedOfAuthor({ dialect, userId })}
          and ${appearsTo(viewer)(eb)})
      select resharers.root_id as "rootId", resharers.author_id as "personId",
        resharers.total from resharers where resharers.place <= ${MAX_SHOWN}
      order by resharers.root_id, resharers.place`.compile(reader);
  });

const ARRIVED = sql`post_arrivals as arrived
  join posts on posts.id = arrived.post_id`;

/** A person reshares a post once. */
const soughtOf = (dialect: DialectName, roots: string): RawBuilder<unknown> =>
  sql`members cross join posts
    join post_arrivals as arrived on arrived.post_id = posts.id
      and posts.person_id = members.id and posts.root_guid in (
        select root.guid from posts as root
        where ${isOneOf(dialect, "root.id", roots, "bigint")})`;

const IS_LISTED_MEMBER = sql<SqlBool>`arrived.author_id in (select id from members)`;
/** Asking for each reshare whether it is of a member costs less than listing the members. */
const FEW = 200;
/** Of so many reshares of one post, those by members are sought. */
const CROWD = 500;

const prepareWays = (isOfAspects: boolean) => ({
  each: prepareResharers(isOfAspects, "each"),
  listed: prepareResharers(isOfAspects, "listed"),
  sought: prepareResharers(isOfAspects, "sought"),
});
const QUERIES = { ofHome: prepareWays(false), ofAspects: prepareWays(true) };

/** By anybody, up to a crowd. */
const RESHARES = prepareQuery<
  { roots: string },
  { rootId: PostId; count: number }
>((reader, value) => {
  const dialect = dialectOf(reader);
  const given = dialect === "sqlite" ? sql`value` : sql`value::text::bigint`;
  return sql<{ rootId: PostId; count: number }>`
    select root_id as "rootId", (select count(*) from (
      select 1 as one from post_arrivals as arrived
      where arrived.root_id = roots.root_id
        and arrived.post_id <> arrived.root_id
      limit ${CROWD}) as reshares) as count
    from (select ${given} as root_id
      from ${rowsIn(dialect, value("roots"))}) as roots`.compile(reader);
});

/** Lists who of a home reshared these posts, in the order in which they did. */
export async function listResharers(
  reader: Reader,
  { userId, personId }: { userId: UserId; personId: PersonId },
  aspects: string | undefined,
  roots: readonly PostId[],
): Promise<Map<PostId, Resharers>> {
  if (roots.length === 0) return new Map();
  const counts = await RESHARES(reader, { roots: JSON.stringify(roots) });
  const queries = QUERIES[aspects === undefined ? "ofHome" : "ofAspects"];
  const read = (way: Way, these: readonly PostId[]) =>
    queries[way](reader, {
      ...{ userId, personId, roots: JSON.stringify(these) },
      aspects: aspects ?? "[]",
    });
  const reshared = counts.filter(({ count }) => count > 0);
  const crowds = reshared.filter(({ count }) => count >= CROWD);
  const others = reshared.filter(({ count }) => count < CROWD);
  const sum = others.reduce((total, { count }) => total + count, 0);
  const idOf = ({ rootId }: { rootId: PostId }) => rootId;
  const found = await Promise.all([
    crowds.length > 0 ? read("sought", crowds.map(idOf)) : [],
    others.length > 0
      ? read(sum > FEW ? "listed" : "each", others.map(idOf))
      : [],
  ]);
  const rows = found.flat();
  return new Map(
    [...Map.groupBy(rows, ({ rootId }) => rootId)].map(([rootId, those]) => {
      const people = those.map((row) => row.personId);
      return [rootId, { people, count: those[0]?.total ?? 0 }];
    }),
  );
}
