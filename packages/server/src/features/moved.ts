import type { Reader } from "../db/db.ts";
import { prepareQuery } from "../db/prepared-query.ts";
import { KithError } from "../lib/errors.ts";
import type { PersonId } from "./ids.ts";

const findMove = prepareQuery<
  { personId: PersonId },
  { moved_to_id: PersonId | null }
>(
  (reader, value) =>
    reader
      .selectFrom("people")
      .select("moved_to_id")
      .where("id", "=", value("personId"))
      .where("moved_to_id", "is not", null)
      .compile(),
  { types: { personId: "bigint" } },
);

/**
 * Refuses new content from an account that has moved: it lives on another server now.
 * @throws {KithError} `bad_request`
 */
export async function refuseMoved(
  reader: Reader,
  personId: PersonId,
): Promise<void> {
  const [row] = await findMove(reader, { personId });
  if (row)
    throw new KithError(
      "bad_request",
      "This account has moved, and can only be read and deleted.",
    );
}
