import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import type { Page } from "../page.ts";

export type DecidedState = "suspended" | "silenced";

/** The people with a decision in this state, newest person first; everyone without a state. */
export async function listPersonIds(
  reader: Reader,
  state: DecidedState | undefined,
  { offset, limit }: Page,
): Promise<PersonId[]> {
  if (state === undefined) {
    const rows = await reader
      .selectFrom("people")
      .select("id")
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map((row) => row.id);
  }
  const rows = await reader
    .selectFrom("person_decisions")
    .select("person_id")
    .where(state, "=", true)
    .orderBy("person_id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map((row) => row.person_id);
}
