import { sql } from "kysely";
import type { Tx } from "../db/db.ts";
import type { Timestamp } from "../lib/clock.ts";
import { insertWithTimeId, timeIdRange, type TimeIdKind } from "./time-id.ts";

const TABLES: Record<TimeIdKind, string> = {
  post: "posts",
  comment: "comments",
  event: "events",
};

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
      const { rows } = await sql<{ newest: number | null }>`
        select max(id) as newest from ${sql.table(TABLES[kind])}
        where id >= ${first} and id < ${end}`.execute(tx);
      return rows[0]?.newest ?? null;
    },
    async (id) => (await insert(id)) !== undefined,
  );
}
