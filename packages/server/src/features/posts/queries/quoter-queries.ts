import type { Reader } from "../../../db/db.ts";
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
