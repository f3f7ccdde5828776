import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId } from "../ids.ts";

/** Whether anything is different for this viewer than for others. */
export type ViewerDistance = {
  /** Does it block or ignore anybody, or a server? */
  readonly avoids: boolean;
  /** Does anybody block it, or its server? */
  readonly isAvoided: boolean;
};

type Row = { avoids: number | boolean; avoided: number | boolean };

const DISTANCE = prepareQuery<{ personId: PersonId }, Row>((reader, value) => {
  const personId = value("personId");
  return sql<Row>`select
    exists (select 1 from blocks where person_id = ${personId})
      or exists (select 1 from ignores where person_id = ${personId})
      or exists (select 1 from host_blocks where person_id = ${personId})
      as avoids,
    exists (select 1 from blocks where blocked_person_id = ${personId})
      or exists (select 1 from host_blocks where host = (
        select viewed.host from people as viewed where viewed.id = ${personId}))
      as avoided`.compile(reader);
});

/** Finds out whether a viewer sees the same as everybody who may see something. */
export async function findViewerDistance(
  reader: Reader,
  personId: PersonId,
): Promise<ViewerDistance> {
  const [row] = await DISTANCE(reader, { personId });
  return { avoids: Boolean(row?.avoids), isAvoided: Boolean(row?.avoided) };
}
