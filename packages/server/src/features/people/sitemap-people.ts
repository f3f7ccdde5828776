import type { Reader } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** The page of a person that search engines may read. */
export type IndexedPerson = {
  readonly handle: string;
  readonly updatedAt: Timestamp;
};

/** Lists the people here who may be found, the newest first. */
export async function listIndexedPeople(
  reader: Reader,
  limit: number,
): Promise<IndexedPerson[]> {
  const rows = await reader
    .selectFrom("people")
    .innerJoin("profiles", "profiles.person_id", "people.id")
    .select(["people.handle", "people.updated_at"])
    .where("people.user_id", "is not", null)
    .where("people.state", "=", "active")
    .where("profiles.searchable", "=", true)
    .orderBy("people.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ handle: row.handle, updatedAt: row.updated_at }));
}

/** Since when there are people here. */
export async function findFirstPersonTime(
  reader: Reader,
): Promise<Timestamp | undefined> {
  const row = await reader
    .selectFrom("people")
    .select("created_at")
    .where("user_id", "is not", null)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}
