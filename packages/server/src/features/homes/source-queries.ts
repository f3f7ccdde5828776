import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, UserId } from "../ids.ts";
import { HOME_TAGS, READ_PEOPLE } from "./home-rule.ts";

/** Whose posts, and posts with which tags, may be in a home or in one of its aspects. */
export type HomeSources = {
  readonly people: ReadonlySet<PersonId>;
  readonly tags: ReadonlySet<string>;
};

type Row = { personId: PersonId | null; tag: string | null };

const SOURCES = prepareQuery<{ userId: UserId }, Row>((reader, value) =>
  sql<Row>`select home_people.person_id as "personId", null as tag
      from ${READ_PEOPLE} where home_people.user_id = ${value("userId")}
    union all select null, home_tags.tag
      from ${HOME_TAGS} where home_tags.user_id = ${value("userId")}`.compile(
    reader,
  ),
);

export async function findSources(
  reader: Reader,
  userId: UserId,
): Promise<HomeSources> {
  const rows = await SOURCES(reader, { userId });
  return {
    people: new Set(rows.flatMap(({ personId }) => personId ?? [])),
    tags: new Set(rows.flatMap(({ tag }) => tag ?? [])),
  };
}
