import type { Reader } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import { isGuid } from "../../lib/guids.ts";
import { formatHandle, parseHandle } from "../../lib/handle.ts";
import type { PersonId } from "../ids.ts";

/**
 * The people with these handles, Guids or database ids. Digits alone are tried as an id
 * first.
 */
export async function listNamedPeople(
  reader: Reader,
  names: readonly string[],
): Promise<PersonId[]> {
  const handles = names.flatMap((name) => {
    const handle = parseHandle(name);
    return handle ? [formatHandle(handle)] : [];
  });
  const ids = names
    .filter((name) => /^\d{1,15}$/.test(name))
    .map(Number)
    .filter((id) => id > 0);
  if (names.length === 0) return [];
  const rows = await reader
    .selectFrom("people")
    .select(["id", "guid"])
    .where((eb) =>
      eb.or([
        eb("handle", "in", [...handles, ""]),
        eb("guid", "in", [...names.filter(isGuid), ""]),
        isListed(reader, "people.id", JSON.stringify(ids)),
      ]),
    )
    .execute();
  const taken = new Set(rows.map(({ id }) => id));
  return rows
    .filter(({ id, guid }) => !isShadowed(id, guid, taken))
    .map(({ id }) => id);
}

/** Was it found by an all-digit Guid that is another person's id? */
function isShadowed(
  id: number,
  guid: string,
  taken: ReadonlySet<number>,
): boolean {
  return /^\d+$/.test(guid) && Number(guid) !== id && taken.has(Number(guid));
}
