import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";

/** Has this person blocked or ignored the other one? */
export async function isKeptAway(
  reader: Reader,
  personId: PersonId,
  other: PersonId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("blocks")
    .select("blocked_person_id as id")
    .where("person_id", "=", personId)
    .where("blocked_person_id", "=", other)
    .unionAll(
      reader
        .selectFrom("ignores")
        .select("ignored_person_id as id")
        .where("person_id", "=", personId)
        .where("ignored_person_id", "=", other),
    )
    .executeTakeFirst();
  return row !== undefined;
}
