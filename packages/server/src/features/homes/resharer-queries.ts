import { expressionBuilder, sql, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
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

const prepareResharers = (isOfAspects: boolean, areFew: boolean) =>
  prepareQuery<Values, Row>((reader, value) => {
    const userId = value("userId");
    const personId = value("personId");
    const aspects = isOfAspects ? value("aspects") : undefined;
    const dialect = dialectOf(reader);
    const viewer = { userId, personId };
    const home = { ...viewer, dialect, aspects };
    const eb = expressionBuilder<Database, "posts">();
    return sql<Row>`with ${areFew ? sql`` : sql`${homeSources(home)},`}
      resharers as (
        select arrived.root_id, arrived.author_id,
          row_number() over (partition by arrived.root_id
            order by arrived.position) as place,
          count(*) over (partition by arrived.root_id) as total
        from post_arrivals as arrived join posts on posts.id = arrived.post_id
        where ${isOneOf(dialect, "arrived.root_id", value("roots"), "bigint")}
          and arrived.post_id <> arrived.root_id
          and ${areFew ? isMember(home, "arrived.author_id") : IS_LISTED_MEMBER}
          and ${isWantedOfAuthor({ dialect, userId })}
          and ${appearsTo(viewer)(eb)})
      select resharers.root_id as "rootId", resharers.author_id as "personId",
        resharers.total from resharers where resharers.place <= ${MAX_SHOWN}
      order by resharers.root_id, resharers.place`.compile(reader);
  });

const IS_LISTED_MEMBER = sql<SqlBool>`arrived.author_id in (select id from members)`;
/** Asking for each reshare whether it is of a member costs less than listing the members. */
const FEW = 200;

const QUERIES = {
  ofHome: {
    few: prepareResharers(false, true),
    many: prepareResharers(false, false),
  },
  ofAspects: {
    few: prepareResharers(true, true),
    many: prepareResharers(true, false),
  },
};

/** By anybody, up to one more than a few. */
const RESHARES = prepareQuery<{ roots: string }, { count: number }>(
  (reader, value) =>
    sql<{ count: number }>`select count(*) as count from (
      select 1 as one from post_arrivals as arrived
      where ${isOneOf(dialectOf(reader), "arrived.root_id", value("roots"), "bigint")}
        and arrived.post_id <> arrived.root_id
      limit ${FEW + 1}) as reshares`.compile(reader),
);

/** Lists who of a home reshared these posts, in the order in which they did. */
export async function listResharers(
  reader: Reader,
  { userId, personId }: { userId: UserId; personId: PersonId },
  aspects: string | undefined,
  roots: readonly PostId[],
): Promise<Map<PostId, Resharers>> {
  if (roots.length === 0) return new Map();
  const list = JSON.stringify(roots);
  const [reshares] = await RESHARES(reader, { roots: list });
  const count = Number(reshares?.count ?? 0);
  if (count === 0) return new Map();
  const queries = QUERIES[aspects === undefined ? "ofHome" : "ofAspects"];
  const rows = await queries[count > FEW ? "many" : "few"](reader, {
    ...{ userId, personId, roots: list },
    aspects: aspects ?? "[]",
  });
  return new Map(
    [...Map.groupBy(rows, ({ rootId }) => rootId)].map(([rootId, those]) => {
      const people = those.map((row) => row.personId);
      return [rootId, { people, count: those[0]?.total ?? 0 }];
    }),
  );
}
