import { sql } from "kysely";
import type { Reader } from "../../../db/db.ts";
import { isListed, prepareQuery } from "../../../db/prepared-query.ts";
import type { PostId } from "../../ids.ts";

const NAMES = prepareQuery<{ ids: string }, { name: string }>((reader, value) =>
  sql<{ name: string }>`select post_links.url as name from post_links
      where ${isListed(reader, "post_links.post_id", value("ids"))}
    union all select quotes.quoted_guid from quotes
      where ${isListed(reader, "quotes.post_id", value("ids"))}
        and quotes.quoted_guid is not null`.compile(reader),
);

/**
 * Lists the addresses that posts link to, and the Guids of posts that they quote or link to,
 * whether or not these are here.
 */
export async function listNamesBeside(
  reader: Reader,
  ids: readonly PostId[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await NAMES(reader, { ids: JSON.stringify(ids) });
  // A page of a post of this server ends with the Guid of the post.
  return rows.flatMap(({ name }) => [
    name,
    name.slice(name.lastIndexOf("/") + 1),
  ]);
}
