import { sql } from "kysely";
import type { Reader } from "../../../db/db.ts";
import { prepareQuery } from "../../../db/prepared-query.ts";
import type { PersonId } from "../../ids.ts";

/** Lists the people whose posts show a quote of this one. */
export async function listQuoterIds(
  reader: Reader,
  quotedGuid: string,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("quotes")
    .innerJoin("posts", "posts.id", "quotes.post_id")
    .select("posts.person_id")
    .where("quotes.quoted_guid", "=", quotedGuid)
    .where("quotes.state", "=", "accepted")
    .execute();
  return rows.map((row) => row.person_id);
}

type Noticed = { noticed: boolean | number };

const NOTICED = prepareQuery<{ guid: string }, Noticed>(
  (reader, value) =>
    sql<Noticed>`select exists (select 1 from quotes
        where quotes.quoted_guid = ${value("guid")})
      or exists (select 1 from notifications
        where notifications.shareable_guid = ${value("guid")}) as noticed`.compile(
      reader,
    ),
  { types: { guid: "text" } },
);

/** Does any post quote this one, or has anybody here been notified of it? */
export async function isNoticed(
  reader: Reader,
  guid: string,
): Promise<boolean> {
  const [row] = await NOTICED(reader, { guid });
  return Boolean(row?.noticed);
}
