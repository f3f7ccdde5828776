import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import { isNotBlockedByAuthor, isNotBlockedOrIgnored } from "./blocks.ts";
import { isNotSuspended } from "./suspensions.ts";

/**
 * Is what these people did shown in the lists of the viewer? For things that are deleted
 * and cannot be asked about any more.
 */
export async function areShownTo(
  reader: Reader,
  viewerId: PersonId,
  people: readonly PersonId[],
): Promise<boolean> {
  const authors = ["people.id"];
  const shown = await reader
    .selectFrom("people")
    .select("people.id")
    .where("people.id", "in", people)
    .where((eb) =>
      eb.or([
        eb("people.id", "=", viewerId),
        eb.and([
          isNotSuspended(authors),
          isNotBlockedByAuthor(viewerId, authors),
          isNotBlockedOrIgnored(viewerId, authors),
        ]),
      ]),
    )
    .execute();
  return shown.length === new Set(people).size;
}
