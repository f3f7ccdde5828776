import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";

export type DecidedState = "suspended" | "silenced";

/** The people with a decision in this state, newest person first; everyone without a state. */
export async function listPersonIds(
  reader: Reader,
  state: DecidedState | undefined,
  page: Page,
): Promise<PersonId[]> {
  if (state === undefined) {
    const people = reader.selectFrom("people").select("id");
    const rows = await fetchPage(people, "people.id", page);
    return rows.map((row) => row.id);
  }
  const decided = reader
    .selectFrom("person_decisions")
    .select("person_id")
    .where(state, "=", true);
  const rows = await fetchPage(decided, "person_decisions.person_id", page);
  return rows.map((row) => row.person_id);
}
