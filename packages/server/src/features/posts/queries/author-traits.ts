import { sql } from "kysely";
import type { Reader } from "../../../db/db.ts";
import { prepareQuery } from "../../../db/prepared-query.ts";
import type { PersonId } from "../../ids.ts";

/** How a new post by a person concerns people here. */
export type AuthorTraits = {
  /** Does anybody here choose to be notified of each of their posts? */
  readonly isNotifying: boolean;
  /** Do they let everyone search their public posts? */
  readonly isIndexable: boolean;
};

type Row = { notifies: boolean | number; indexable: boolean | number };

const traitsOf = prepareQuery<{ personId: PersonId }, Row>(
  (reader, value) =>
    sql<Row>`select profiles.indexable, exists (select 1 from contacts
      where contacts.person_id = profiles.person_id and contacts.notifies) as notifies
    from profiles where profiles.person_id = ${value("personId")}`.compile(
      reader,
    ),
  { types: { personId: "bigint" } },
);

/** Prepared: it runs for every post that is received. */
export async function findAuthorTraits(
  reader: Reader,
  personId: PersonId,
): Promise<AuthorTraits> {
  const [row] = await traitsOf(reader, { personId });
  return {
    isNotifying: Boolean(row?.notifies),
    isIndexable: Boolean(row?.indexable),
  };
}
