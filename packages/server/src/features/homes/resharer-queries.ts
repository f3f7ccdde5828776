import { expressionBuilder, sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { PersonId, PostId, UserId } from "../ids.ts";
import { appearsTo } from "../visibility/index.ts";
import { homeSources, isWantedOfAuthor } from "./home-rule.ts";

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

const prepareResharers = (isOfAspects: boolean) =>
  prepareQuery<Values, Row>((reader, value) => {
    const userId = value("userId");
    const personId = value("personId");
    const aspects = isOfAspects ? value("aspects") : undefined;
    const dialect = dialectOf(reader);
    const viewer = { userId, personId };
    const eb = expressionBuilder<Database, "posts">();
    return sql<Row>`with ${homeSources({ ...viewer, dialect, aspects })},
      resharers as (
        select arrived.root_id, arrived.author_id,
          row_number() over (partition by arrived.root_id
            order by arrived.position) as place,
          count(*) over (partition by arrived.root_id) as total
        from post_arrivals as arrived join posts on posts.id = arrived.post_id
        where ${isOneOf(dialect, "arrived.root_id", value("roots"), "bigint")}
          and arrived.post_id <> arrived.root_id
          and arrived.author_id in (select id from members)
          and ${isWantedOfAuthor({ dialect, userId })}
          and ${appearsTo(viewer)(eb)})
      select resharers.root_id as "rootId", resharers.author_id as "personId",
        resharers.total from resharers where resharers.place <= ${MAX_SHOWN}
      order by resharers.root_id, resharers.place`.compile(reader);
  });

const ofHome = prepareResharers(false);
const ofAspects = prepareResharers(true);

/** Lists who of a home reshared these posts, in the order in which they did. */
export async function listResharers(
  reader: Reader,
  { userId, personId }: { userId: UserId; personId: PersonId },
  aspects: string | undefined,
  roots: readonly PostId[],
): Promise<Map<PostId, Resharers>> {
  if (roots.length === 0) return new Map();
  const list = JSON.stringify(roots);
  const rows = await (aspects === undefined ? ofHome : ofAspects)(reader, {
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
