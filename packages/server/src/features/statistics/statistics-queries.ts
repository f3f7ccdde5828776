import { sql, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { idAt } from "../time-id.ts";

/** Up to, but not including, the end. */
export type Between = { readonly from: Date; readonly to: Date };

/** The people of this server who were here since then; each is noted once a day. */
export async function countSeenSince(
  reader: Reader,
  since: Timestamp,
): Promise<number> {
  const { count } = await reader
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("last_seen_at", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The people of this server who came between two moments, for each of those. */
export async function countJoined(
  reader: Reader,
  starts: readonly Timestamp[],
): Promise<number[]> {
  const counts: number[] = [];
  for (const [at, start] of starts.entries()) {
    const end = starts[at + 1];
    const { count } = await reader
      .selectFrom("people")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("user_id", "is not", null)
      .where("created_at", ">=", start)
      .$if(end !== undefined, (query) =>
        query.where("created_at", "<", end ?? start),
      )
      .executeTakeFirstOrThrow();
    counts.push(Number(count));
  }
  return counts;
}

/** Posts, or comments, that people of this server have written. Ids are in the order of time. */
export async function countWritten(
  reader: Reader,
  table: "comments" | "posts",
  { from, to }: Between,
): Promise<number> {
  const { count } = await reader
    .selectFrom(table)
    .innerJoin("people", "people.id", `${table}.person_id`)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(sql<SqlBool>`${sql.ref(`${table}.id`)} >= ${idAt(from)}`)
    .where(sql<SqlBool>`${sql.ref(`${table}.id`)} < ${idAt(to)}`)
    .where("people.user_id", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function countReports(
  reader: Reader,
  from: Timestamp,
  to: Timestamp,
): Promise<number> {
  const { count } = await reader
    .selectFrom("reports")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Acts of the people who run the server, by its log. */
export async function countDecisions(
  reader: Reader,
  from: Timestamp,
  to: Timestamp,
): Promise<number> {
  const { count } = await reader
    .selectFrom("audit_log")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("at", ">=", from)
    .where("at", "<", to)
    .executeTakeFirstOrThrow();
  return Number(count);
}
