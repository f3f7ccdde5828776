import { sql } from "kysely";
import type { Db } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import { keepValues, type WriteWatch } from "../freshness/index.ts";
import type { PersonId } from "../ids.ts";

/** Whether anything is different for this viewer than for others. */
export type ViewerDistance = {
  /** Does it block or ignore anybody, or a server? */
  readonly avoids: boolean;
  /** Does anybody block it, or its server? */
  readonly isAvoided: boolean;
};

const SAME: ViewerDistance = { avoids: false, isAvoided: false };

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

/** So many viewers stay in memory. */
const MAX_VIEWERS = 10_000;

/**
 * Finds out whether viewers see the same as everybody who may see something. What is found is
 * kept: blocks and ignores have no names among the writes, so each of them ends it.
 */
export function createViewerDistances(db: Pick<Db, "read">, watch: WriteWatch) {
  const kept = keepValues<PersonId, ViewerDistance>(
    watch,
    () => [],
    MAX_VIEWERS,
  );
  return async (personId: PersonId): Promise<ViewerDistance> => {
    const found = await kept.read("", [personId], async () => {
      const [row] = await DISTANCE(db.read, { personId });
      const avoids = Boolean(row?.avoids);
      return new Map([
        [personId, { avoids, isAvoided: Boolean(row?.avoided) }],
      ]);
    });
    return found.get(personId) ?? SAME;
  };
}
