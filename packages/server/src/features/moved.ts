import type { Reader } from "../db/db.ts";
import { KithError } from "../lib/errors.ts";
import type { PersonId } from "./ids.ts";

/**
 * Who has moved goes on elsewhere, and says nothing new here.
 * @throws {KithError} `bad_request`
 */
export async function refuseMoved(
  reader: Reader,
  personId: PersonId,
): Promise<void> {
  const row = await reader
    .selectFrom("people")
    .select("moved_to_id")
    .where("id", "=", personId)
    .where("moved_to_id", "is not", null)
    .executeTakeFirst();
  if (row) throw new KithError("bad_request", "The account has moved");
}
