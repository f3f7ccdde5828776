import type { Reader } from "../../../db/db.ts";
import { prepareQuery } from "../../../db/prepared-query.ts";
import type { PersonId } from "../../ids.ts";

const FIRST = prepareQuery<{ personId: PersonId }, { user_id: number }>(
  (reader, value) =>
    reader
      .selectFrom("contacts")
      .select("user_id")
      .where("person_id", "=", value("personId"))
      .where("notifies", "=", true)
      .limit(1)
      .compile(),
);

/** Does anybody here choose to be notified of each post by the person? */
export async function isNotifiedOf(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  return (await FIRST(reader, { personId })).length > 0;
}
