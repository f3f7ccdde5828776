import { sql } from "kysely";
import type { Tx } from "../db/db.ts";
import { prepareQuery } from "../db/prepared-query.ts";
import type { Timestamp } from "../lib/clock.ts";
import { insertWithTimeId, timeIdRange, type TimeIdKind } from "./time-id.ts";

const newestIn = (table: string) =>
  prepareQuery<{ first: number; end: number }, { newest: number | null }>(
    (reader, value) =>
      sql<{ newest: number | null }>`
        select max(id) as newest from ${sql.table(table)}
        where id >= ${value("first")} and id < ${value("end")}`.compile(reader),
  );

const findNewest = {
  post: newestIn("posts"),
  comment: newestIn("comments"),
  event: newestIn("events"),
} as const satisfies Record<TimeIdKind, unknown>;

/**
 * Inserts a record with an id by its time, the next one that is free.
 * @param insert tries an id; answers no row where somebody else has just taken it
 */
export async function insertInTime(
  tx: Tx,
  kind: TimeIdKind,
  { guid, createdAt }: { guid: string; createdAt: Timestamp },
  now: Date,
  insert: (id: number) => Promise<{ id: number } | undefined>,
): Promise<number> {
  return insertWithTimeId(
    kind,
    timeIdRange(kind, new Date(createdAt), guid, now),
    async ({ first, end }) => {
      const [row] = await findNewest[kind](tx, { first, end });
      return row?.newest ?? null;
    },
    async (id) => (await insert(id)) !== undefined,
  );
}
