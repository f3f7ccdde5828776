import type { CompiledQuery } from "kysely";
import type { Reader } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId } from "../ids.ts";
import type { Viewer } from "./viewer.ts";

type Counted = { guid: string | null; count: number };

/**
 * Prepares a count of the things that a viewer may see, for many posts at once.
 * @param select the counts by the Guids in a JSON array of texts
 * @returns a function that counts by Guid; a post without any is left out
 */
export function prepareVisibleCounts(
  select: (
    reader: Reader,
    guids: string,
    viewer: Viewer,
  ) => { compile: () => CompiledQuery<Counted> },
) {
  const forAll = prepareQuery<{ guids: string }, Counted>((reader, value) =>
    select(reader, value("guids"), null).compile(),
  );
  const forOne = prepareQuery<{ guids: string; personId: PersonId }, Counted>(
    (reader, value) => {
      const viewer = { personId: value("personId"), userId: null };
      return select(reader, value("guids"), viewer).compile();
    },
  );
  return async (
    reader: Reader,
    guids: readonly string[],
    viewer: Viewer,
  ): Promise<Map<string, number>> => {
    if (guids.length === 0) return new Map();
    const wanted = { guids: JSON.stringify(guids) };
    const rows = await (viewer === null
      ? forAll(reader, wanted)
      : forOne(reader, { ...wanted, personId: viewer.personId }));
    return new Map(rows.map((row) => [row.guid ?? "", Number(row.count)]));
  };
}
